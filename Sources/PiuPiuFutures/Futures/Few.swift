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

    /// Calls a closure with each element, in order.
    func forEach(_ body: (Element) -> Void) {
        switch self {
        case .none: break
        case .one(let element): body(element)
        case .many(let elements): elements.forEach(body)
        }
    }
}
