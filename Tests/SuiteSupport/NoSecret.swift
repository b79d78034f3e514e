import TestSupport
import Testing

/// Expects no text of a value to have the planted password, as it is or encoded.
package func expectNoSecret(in value: Any, sourceLocation: SourceLocation = #_sourceLocation) {
    for showing in SecretSearch.showings(of: value) where showing.tells {
        Issue.record("\(showing.way): \(showing.text)", sourceLocation: sourceLocation)
    }
}
