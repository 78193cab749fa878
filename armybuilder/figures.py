"""What the site counts of itself for Prometheus; `operations.metrics` shows it, with what the database tells.

Every process counts; those of one machine share a folder (`figure_folder`).
"""

from prometheus_client import Counter, Histogram

QUICK = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
SLOW = (0.01, 0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 300.0, 600.0)

REQUESTS = Counter("armybuilder_requests", "Requests answered.", ["method", "view", "status"])
REQUEST_SECONDS = Histogram("armybuilder_request_seconds", "Time to answer a request.", ["view"], buckets=QUICK)
TASK_SECONDS = Histogram("armybuilder_task_seconds", "Time to compute one piece.", ["kind"], buckets=SLOW)
TASK_FAILURES = Counter("armybuilder_task_failures", "Pieces that could not be computed.", ["kind"])
VERDICTS = Counter("armybuilder_verdicts", "Lists judged.", ["system", "verdict"])
REPORT_CACHE = Counter("armybuilder_report_cache", "Reports found in memory, or made anew.", ["found"])
LIBRARY_LOADS = Counter("armybuilder_library_loads", "Times that a process opened compiled game data.")
