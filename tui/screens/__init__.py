"""The screens of the app, one a file; each is imported when it is first shown."""
