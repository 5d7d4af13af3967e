package topics

import "kardia/model"

// functions are where each kind of decision is made in Kubernetes.
var functions = map[model.DecisionKind]string{
	model.MarkUnknown:           "tryUpdateNodeHealth",
	model.MarkPodsNotReady:      "MarkPodsNotReady",
	model.AddNoSchedule:         "doNoScheduleTaintingPass",
	model.RemoveNoSchedule:      "doNoScheduleTaintingPass",
	model.QueueForTaint:         "processTaintBaseEviction",
	model.DequeueFromTaint:      "markNodeAsReachable",
	model.TaintNoExecute:        "doNoExecuteTaintingPass",
	model.UntaintNoExecute:      "markNodeAsReachable",
	model.SwapNoExecute:         "SwapNodeControllerTaint",
	model.ZoneState:             "ComputeZoneState",
	model.SetRate:               "setLimiterInZone",
	model.EnterMasterDisruption: "handleDisruption",
	model.ExitMasterDisruption:  "handleDisruption",
	model.ScheduleEviction:      "processPodOnNode",
	model.CancelEviction:        "cancelWorkWithEvent",
	model.EvictPod:              "addConditionAndDeletePod",
	model.CollectPod:            "markFailedAndDeletePod",
	model.ControllerStart:       "monitorNodeHealth",
	model.RegisterNode:          "monitorNodeHealth",
	model.ForgetNode:            "monitorNodeHealth",
}

// DecisionSource is where in Kubernetes a decision is made: its controller and function.
func DecisionSource(d *model.Decision) string {
	function := functions[d.Kind]
	if function == "" {
		return ""
	}
	return d.Controller.String() + ": " + function
}
