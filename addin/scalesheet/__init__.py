"""The economics of AI-training clusters as worksheet functions.

>>> from scalesheet import train_cost
>>> train_cost(64, 120, 2.5, 0.8, 0.15, 200, 150)
27950.0
"""

from scalesheet import cost as _cost
from scalesheet import scaling as _scaling
from scalesheet.published import published as _published

loss_per_node = _published(_scaling.loss_per_node)
loss_from_gbps = _published(_scaling.loss_from_gbps)
scaling_eff = _published(_scaling.scaling_eff)
scaling_eff_linear = _published(_scaling.scaling_eff_linear)
floor_nodes = _published(_scaling.floor_nodes)
peak_nodes = _published(_scaling.peak_nodes)
marginal_node = _published(_scaling.marginal_node)
cluster_throughput = _published(_scaling.cluster_throughput)
node_eff = _published(_scaling.node_eff)
gpus_lost = _published(_scaling.gpus_lost)
fabric_premium = _published(_scaling.fabric_premium)
measured_eff = _published(_scaling.measured_eff)
scaling_exponent = _published(_scaling.scaling_exponent)
scaling_eff_power = _published(_scaling.scaling_eff_power)
scaling_eff_comm = _published(_scaling.scaling_eff_comm)

train_cost = _published(_cost.train_cost)
train_cost_work = _published(_cost.train_cost_work)
ideal_hours_from_work = _published(_cost.ideal_hours_from_work)
wall_clock_hours = _published(_cost.wall_clock_hours)
wall_clock_days = _published(_cost.wall_clock_days)
expected_days = _published(_cost.expected_days)
gpu_hours = _published(_cost.gpu_hours)
compute_cost = _published(_cost.compute_cost)
rework_cost = _published(_cost.rework_cost)
cost_overhead = _published(_cost.cost_overhead)
train_cost_lines = _published(_cost.train_cost_lines)
billed_gpus = _published(_cost.billed_gpus)
gpus_for_deadline = _published(_cost.gpus_for_deadline)
committed_cost = _published(_cost.committed_cost)
egress_cost = _published(_cost.egress_cost)
