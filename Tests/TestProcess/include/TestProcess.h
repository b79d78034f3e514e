// Sets up the test process before Swift code runs. There is nothing to call.
