extension Substring {
    /// What comes before and after a character; `nil` after it where it is not there.
    package func splitAtFirst(_ separator: Character) -> (Substring, Substring?) {
        guard let index = firstIndex(of: separator) else { return (self, nil) }
        return (self[..<index], self[self.index(after: index)...])
    }
}
