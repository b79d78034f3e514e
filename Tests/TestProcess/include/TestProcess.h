// What the process of the tests needs before its first line of Swift runs. There is nothing to call.
