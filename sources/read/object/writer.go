package object

import (
	"strings"

	"kardia/model"
)

// WriterOf is the component that a field manager is: the name of the program, unless it says otherwise. All
// controllers of kube-controller-manager are one field manager, and what it wrote may be any controller's: that stays
// unknown.
func WriterOf(manager string) model.Writer {
	switch {
	case manager == "" || manager == model.ControllerManager:
		return model.WriterUnknown
	case manager == "kubelet" || strings.HasPrefix(manager, "kwok"):
		return model.WriterKubelet
	case manager == "kube-apiserver":
		return model.WriterAPIServer
	case manager == "kube-scheduler":
		return model.WriterScheduler
	case manager == "cloud-controller-manager":
		return model.WriterControllerManager
	}
	return model.WriterPerson
}
