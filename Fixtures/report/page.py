"""Checks the page of `net-activity report` in a headless Chromium: its content, its use by mouse and by keyboard, its speed, and its
resistance to attacks. The last line is `passed N of M`.

usage: page.py FOLDER NET_ACTIVITY WRITER CHROMIUM PICTURES [RESULTS]

FOLDER has the stores of conformance-report, which is the WRITER. NET_REPORT_CHECKS chooses groups, separated by commas.
"""
import os
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

import figures
import filters
import hostile
import live
import looks
import walks
from checks import Checks
from reports import Reports

GROUPS = {"filters": filters, "walks": walks, "hostile": hostile, "looks": looks, "figures": figures, "live": live}


def main():
    folder, program, writer, chromium, pictures = (Path(argument) for argument in sys.argv[1:6])
    checks = Checks(sys.argv[6] if len(sys.argv) > 6 else None)
    chosen = [name for name in os.environ.get("NET_REPORT_CHECKS", "").split(",") if name] or list(GROUPS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        reports = Reports(folder, program, writer, browser)
        for name in chosen:
            GROUPS[name].run(checks, reports, pictures)
        browser.close()
    checks.add("no request leaves a page", "; ".join(
        url for url in reports.requests if not url.startswith(("file://", "http://127.0.0.1:")))[:300])
    checks.add("no page has a problem", "; ".join(dict.fromkeys(reports.problems))[:300])
    return checks.finish()


sys.exit(main())
