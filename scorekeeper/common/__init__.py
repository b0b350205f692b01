"""What every room stands on: sending tasks, the health page, request ids, the serve command."""
