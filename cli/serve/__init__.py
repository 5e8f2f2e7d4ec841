"""The app in a browser: a small web server that runs one app for each visitor and shows it in a terminal on a page."""
