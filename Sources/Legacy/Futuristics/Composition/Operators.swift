/// The precedence of `>>>` and `|>`, lower than that of all operators that make values.
precedencegroup FunctionCompositionPrecedence {
    associativity: left
    lowerThan: TernaryPrecedence
    higherThan: AssignmentPrecedence
}

/// Composes two functions.
infix operator >>> : FunctionCompositionPrecedence

/// Calls a function with the value on the left.
infix operator |> : FunctionCompositionPrecedence
