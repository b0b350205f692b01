"""The base app: sending tasks, monitoring pages, request ids, the serve command, and more that all apps use."""
