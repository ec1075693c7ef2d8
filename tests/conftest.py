"""No test uses the store of whoever runs it: only one that it names itself."""

import os

os.environ["KOZEL_STORE"] = ""
