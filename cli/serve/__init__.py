"""The app in a browser: a small web server that starts one app for each visitor and shows it in a terminal page."""
