package decision

import "kardia/model"

// Who is who wrote something: the component, and who sent the request where the input tells; empty where
// neither is known.
func Who(w model.Writer, by *model.Requester) string {
	request := by.String()
	switch {
	case request == "":
		if w == model.WriterUnknown {
			return ""
		}
		return w.String()
	case w == model.WriterUnknown:
		return request
	}
	return w.String() + " (" + request + ")"
}
