"""The economics of AI-training clusters as worksheet functions.

>>> from scalesheet import train_cost
>>> train_cost(64, 120, 2.5, 0.8, 0.15, 200, 150)
27950.0
"""

# The order here is that of the functions in every list.
# isort: off
from scalesheet import scaling as _scaling
from scalesheet import predictions as _predictions
from scalesheet import batch_size as _batch_size
from scalesheet import workload as _workload
from scalesheet import cost as _cost
from scalesheet import billing as _billing
from scalesheet import reliability as _reliability
from scalesheet import ownership as _ownership
from scalesheet import gpus as _gpus
from scalesheet import selection as _selection
from scalesheet import risk as _risk

# isort: on
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
scaling_eff_published = _published(_predictions.scaling_eff_published)
scaling_predict = _published(_predictions.scaling_predict)
scaling_low = _published(_predictions.scaling_low)
scaling_high = _published(_predictions.scaling_high)
scaling_eff_fitted = _published(_predictions.scaling_eff_fitted)
scaling_note = _published(_predictions.scaling_note)
scaling_fit = _published(_predictions.scaling_fit)
batch_samples_ratio = _published(_batch_size.batch_samples_ratio)
critical_batch = _published(_batch_size.critical_batch)
time_to_train_eff = _published(_batch_size.time_to_train_eff)

train_flops = _published(_workload.train_flops)
work_gpu_hours = _published(_workload.work_gpu_hours)
model_flops_utilization = _published(_workload.model_flops_utilization)

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
gpus_for_deadline = _published(_cost.gpus_for_deadline)

billed_gpus = _published(_billing.billed_gpus)
billed_hours = _published(_billing.billed_hours)
instance_gpu_price = _published(_billing.instance_gpu_price)
committed_cost = _published(_billing.committed_cost)
commitment_utilization = _published(_billing.commitment_utilization)
used_gpu_hour_cost = _published(_billing.used_gpu_hour_cost)
gb_from_gib = _published(_billing.gb_from_gib)
storage_cost = _published(_billing.storage_cost)
egress_cost = _published(_billing.egress_cost)

cluster_mtbf = _published(_reliability.cluster_mtbf)
expected_failures = _published(_reliability.expected_failures)
checkpoint_interval = _published(_reliability.checkpoint_interval)
failure_waste = _published(_reliability.failure_waste)
rework_from_waste = _published(_reliability.rework_from_waste)
hours_no_checkpoint = _published(_reliability.hours_no_checkpoint)
spot_mtbf = _published(_reliability.spot_mtbf)
spot_breakeven_rework = _published(_reliability.spot_breakeven_rework)

cluster_capex = _published(_ownership.cluster_capex)
capex_per_gpu = _published(_ownership.capex_per_gpu)
owned_gpu_hour = _published(_ownership.owned_gpu_hour)
productive_gpu_hour = _published(_ownership.productive_gpu_hour)
breakeven_utilization = _published(_ownership.breakeven_utilization)

gpu_price = _published(_gpus.gpu_price)
gpu_price_note = _published(_gpus.gpu_price_note)
gpu_purchase_price = _published(_gpus.gpu_purchase_price)
gpu_spec = _published(_gpus.gpu_spec)
gpu_fit = _published(_selection.gpu_fit)

train_cost_risk = _published(_risk.train_cost_risk)
