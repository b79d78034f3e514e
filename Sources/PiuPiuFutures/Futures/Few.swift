/// A list that needs no memory of its own while it has at most one element.
enum Few<Element: Sendable>: Sendable {
    case none
    case one(Element)
    case many([Element])

    /// Adds an element at the end.
    mutating func append(_ element: Element) {
        switch self {
        case .none: self = .one(element)
        case .one(let first): self = .many([first, element])
        case .many(var elements):
            self = .none
            elements.append(element)
            self = .many(elements)
        }
    }

    /// Removes the last element.
    ///
    /// - Returns: The element; `nil` where there is none.
    mutating func popLast() -> Element? {
        switch self {
        case .none: return nil
        case .one(let element):
            self = .none
            return element
        case .many(var elements):
            self = .none
            let last = elements.popLast()
            if !elements.isEmpty { self = .many(elements) }
            return last
        }
    }

    /// The elements, the last one first.
    var reversed: Few {
        if case .many(let elements) = self { .many(elements.reversed()) } else { self }
    }

    /// Calls a closure with each element, in order.
    func forEach(_ body: (Element) -> Void) {
        switch self {
        case .none: break
        case .one(let element): body(element)
        case .many(let elements): elements.forEach(body)
        }
    }
}
