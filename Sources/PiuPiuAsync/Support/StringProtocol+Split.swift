extension Substring {
    /// Splits at the first occurrence of a character; the second part is `nil` if there is none.
    package func splitAtFirst(_ separator: Character) -> (Substring, Substring?) {
        guard let index = firstIndex(of: separator) else { return (self, nil) }
        return (self[..<index], self[self.index(after: index)...])
    }
}
