/// Waits until a condition holds; the time limit of the suite ends it if it never does.
package func until(_ condition: () -> Bool) async {
    while !condition() { await Task.yield() }
}
