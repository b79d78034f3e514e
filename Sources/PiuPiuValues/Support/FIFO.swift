/// A queue that can also remove an element from the middle, in constant time on average.
@frozen
@usableFromInline
package struct FIFO<Element: Hashable> {
    // Inlinable, because unspecialized generic code from another module is slow.
    @usableFromInline var elements: [Element?] = []
    @usableFromInline var head = 0
    @usableFromInline var positions: [Element: Int] = [:]

    @inlinable
    package init() {}

    /// The number of elements.
    @inlinable
    package var count: Int { positions.count }

    /// Whether the queue is empty.
    @inlinable
    package var isEmpty: Bool { positions.isEmpty }

    /// The element that has waited longest.
    @inlinable
    package var first: Element? {
        mutating get {
            while head < elements.count, elements[head] == nil { head += 1 }
            return head < elements.count ? elements[head] : nil
        }
    }

    /// Appends an element, unless the queue already contains it.
    @inlinable
    package mutating func append(_ element: Element) {
        guard positions[element] == nil else { return }
        positions[element] = elements.count
        elements.append(element)
    }

    /// Removes and returns the element that has waited longest.
    @inlinable
    package mutating func popFirst() -> Element? {
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

    /// Removes an element from any position; returns whether the queue contained it.
    @inlinable
    @discardableResult
    package mutating func remove(_ element: Element) -> Bool {
        guard !isEmpty, let position = positions.removeValue(forKey: element) else { return false }
        elements[position] = nil
        compact()
        return true
    }

    /// Removes the gaps when they outnumber the elements.
    @inlinable
    mutating func compact() {
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

extension FIFO: Sendable where Element: Sendable {}
