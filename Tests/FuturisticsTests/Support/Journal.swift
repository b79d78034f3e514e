import TestSupport

typealias Journal = TestSupport.Journal

struct Failure: Error, Equatable {
    var number = 0
}
