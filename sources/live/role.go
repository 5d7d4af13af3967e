package live

// ClusterRole is the least right to watch all that Kardia shows, as YAML. Kardia reports missing parts.
const ClusterRole = `# The least Kardia needs. It lists and watches, and never writes.
# All three must be bound to a user, a group or a service account: 'kardia rbac --group GROUP' adds the bindings.
# Nodes alone are enough to start with; leases give heartbeats, pods and events the rest.
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: kardia
rules:
- apiGroups: [""]
  resources: [nodes, pods, events]
  verbs: [list, watch]
# what follows is asked for only where it is shown: which volumes hang on a silent node,
- apiGroups: [storage.k8s.io]
  resources: [volumeattachments]
  verbs: [list]
- apiGroups: [""]
  resources: [persistentvolumes]
  verbs: [list]
# whose budgets are broken, and which Services fall to none,
- apiGroups: [policy]
  resources: [poddisruptionbudgets]
  verbs: [list]
- apiGroups: [discovery.k8s.io]
  resources: [endpointslices]
  verbs: [list]
# and who else acts on nodes, where there is such a one
- apiGroups: [karpenter.sh]
  resources: [nodeclaims]
  verbs: [list]
- apiGroups: [remediation.medik8s.io]
  resources: [nodehealthchecks]
  verbs: [list]
---
# the nodes' heartbeats
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: kardia
  namespace: kube-node-lease
rules:
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  verbs: [list, watch]
---
# who leads the controllers
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: kardia
  namespace: kube-system
rules:
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  resourceNames: [kube-controller-manager, kube-scheduler]
  verbs: [list, watch]
- apiGroups: [""]
  resources: [configmaps]
  resourceNames: [cluster-autoscaler-status]
  verbs: [list]
# how many API servers there are, asked for only where it is shown: their leases have no names that are known before
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  verbs: [list]
`
