/// A queue from which an element can also be taken out of the middle, each in constant time on average.
struct FIFO<Element: Hashable> {
    private var elements: [Element?] = []
    private var head = 0
    private var positions: [Element: Int] = [:]

    /// How many elements wait.
    var count: Int { positions.count }

    /// Whether nothing waits.
    var isEmpty: Bool { positions.isEmpty }

    /// The element that waited longest.
    var first: Element? {
        mutating get {
            while head < elements.count, elements[head] == nil { head += 1 }
            return head < elements.count ? elements[head] : nil
        }
    }

    /// Puts an element at the end; does nothing where it already waits.
    ///
    /// - Parameter element: The element.
    mutating func append(_ element: Element) {
        guard positions[element] == nil else { return }
        positions[element] = elements.count
        elements.append(element)
    }

    /// Takes the first element out.
    ///
    /// - Returns: The element that waited longest.
    mutating func popFirst() -> Element? {
        while head < elements.count {
            let element = elements[head]
            elements[head] = nil
            head += 1
            if let element {
                positions[element] = nil
                compact()
                return element
            }
        }
        return nil
    }

    /// Takes an element out, wherever it is.
    ///
    /// - Parameter element: The element.
    /// - Returns: Whether it was there.
    @discardableResult
    mutating func remove(_ element: Element) -> Bool {
        guard let position = positions.removeValue(forKey: element) else { return false }
        elements[position] = nil
        compact()
        return true
    }

    /// Closes the gaps once they outweigh the elements.
    private mutating func compact() {
        if positions.isEmpty {
            elements.removeAll(keepingCapacity: elements.capacity <= 64)
            head = 0
        } else if elements.count > 32, elements.count > 4 * positions.count {
            elements = elements[head...].filter { $0 != nil }
            head = 0
            for (index, element) in elements.enumerated() {
                if let element { positions[element] = index }
            }
        }
    }
}
