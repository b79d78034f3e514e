import PiuPiuFutures
import Testing

/// What counts as a row for a symbol, and what does not.
struct RowNamesTests {
    private let list = SymbolList(
        """
        # Comments count as nothing.
        Dispatcher
        Dispatcher.init(configuration:adapter:)
        Dispatcher.data(from:)
        Dispatcher.data(from: { … })
        Dispatcher.upload(from:with:)
        Dispatcher.upload(with:from:)
        Dispatcher.cancel()
        Future
        Future.Status
        Future.Status.success
        Future.init(action:)
        Future.init(result:)
        Future.then(on:_:)
        Future.success(_:)
        Future.send()
        Request.match(pattern:)
        URL.match(pattern:)
        Sequence<Task>.running
        onQueue(_:)
        |>
        """
    )

    private func read(_ cells: String...) -> [RowNames] {
        let lines = ["## Section", "| Old | New |", "|---|---|"] + cells.map { "| \($0) | same |" }
        let tables = MarkdownTable.tables(of: lines.joined(separator: "\n"), below: "Section")
        return tables.flatMap { $0.first }.map { RowNames.read($0, list) } ?? []
    }

    private func named(_ cells: String...) -> [String] {
        read(cells.joined(separator: " | same |\n| ")).flatMap(\.named).map(\.description)
    }

    @Test(arguments: [
        ("`Dispatcher`", ["Dispatcher"]),
        ("`Future<Success>`", ["Future"]),
        ("`Future<Success, Failure>`, `.send()`", ["Future", "Future.send()"]),
        ("`Dispatcher.data(from:)`", ["Dispatcher.data(from:)"]),
        ("`Dispatcher`, `.data(from:)`", ["Dispatcher", "Dispatcher.data(from:)"]),
        ("`Dispatcher`, `.data(from: request)`", ["Dispatcher", "Dispatcher.data(from:)"]),
        ("`Dispatcher`, `.data { … }`", ["Dispatcher", "Dispatcher.data(from: { … })"]),
        ("`Dispatcher`, `.data() { … }`", ["Dispatcher", "Dispatcher.data(from: { … })"]),
        ("`Dispatcher`, `.data(from: { request })`", ["Dispatcher", "Dispatcher.data(from: { … })"]),
        ("`Dispatcher(configuration:adapter:)`", ["Dispatcher.init(configuration:adapter:)"]),
        ("`Dispatcher.init(configuration:adapter:)`", ["Dispatcher.init(configuration:adapter:)"]),
        (
            "`Dispatcher(configuration: .default, adapter: nil)`",
            ["Dispatcher.init(configuration:adapter:)"]
        ),
        ("`Future(action:)`, `(result:)`", ["Future.init(action:)", "Future.init(result:)"]),
        (
            "`Dispatcher.upload(from:with:)`, `(with:from:)`",
            [
                "Dispatcher.upload(from:with:)", "Dispatcher.upload(with:from:)",
            ]
        ),
        ("`Future`, `.success { … }`", ["Future", "Future.success(_:)"]),
        ("`Future.Status`, `.success`", ["Future.Status", "Future.Status.success"]),
        ("`Status.success`", ["Future.Status.success"]),
        (
            "`Future(result:)`, `.then(on: .main) { value in … }`",
            ["Future.init(result:)", "Future.then(on:_:)"]
        ),
        ("`match(pattern:)` of `URL` and `Request`", ["URL.match(pattern:)", "Request.match(pattern:)"]),
        ("`match(pattern:)` of `URL`; `Future`", ["URL.match(pattern:)", "Future"]),
        ("`running` of `Sequence<Task>`", ["Sequence<Task>.running"]),
        ("`Dispatcher.cancel`", ["Dispatcher.cancel()"]),
        ("`Dispatcher` with `cancel()`", ["Dispatcher", "Dispatcher.cancel()"]),
        ("`onQueue(_:)`, `onQueue(queue)`", ["onQueue(_:)", "onQueue(_:)"]),
        ("`onQueue(queue)(closure)`", ["onQueue(_:)"]),
        ("`future.send()`", ["Future.send()"]),
        (#"`\|>`"#, ["|>"]),
        (#"`value \|> f`"#, ["|>"]),
    ])
    func spansNameSymbols(cell: String, expected: [String]) {
        #expect(named(cell) == expected)
    }

    @Test(arguments: [
        // No symbol of that name, or not with these labels.
        "`Dispatch`", "`Dispatcher.data(for:)`", "`Dispatcher(configuration:)`", "`Dispatcher.upload(from:)`",
        "`Dispatcher.upload(with:from:to:)`", "`Future.then { … }`", "`Future.Status.failure`",
        // Not a name.
        "`Dispatcher.up…`", "`let future = Future(result: 1)`", "`Dispatcher.*`", "Dispatcher", "all its members",
        // More than one function has that name.
        "`Dispatcher.data`", "`Dispatcher.upload`",
        // More than one initializer has one argument.
        "`Future { … }`",
        // A member without its type.
        "`.send()`", "`send()`", "`success`", "`match(pattern:)`", "`running` of `Sequence<URL>`",
        // A function is not a property, and the other way round.
        "`Future.Status.success()`", "`Dispatcher()`", "`futures.send()`", "`a |> b |> c`", "`>>>`",
    ])
    func spansThatNameNothing(cell: String) {
        #expect(named(cell) == [])
    }

    @Test func membersBelongToTheNearestTypeThatHasThem() {
        let cells = [
            "`Future`", "`Dispatcher(configuration:adapter:)`", "`.send()`", "`Future.Status`", "`.success(_:)`",
        ]
        #expect(
            named(cells[0], cells[1], cells[2], cells[3], cells[4]) == [
                "Future", "Dispatcher.init(configuration:adapter:)", "Future.send()", "Future.Status",
                "Future.success(_:)",
            ]
        )
        #expect(named("`Future`", "`Future.Status`, `.success`, `.success { … }`").count == 4)
    }

    @Test func missingTypesOfAGroupAreTold() {
        #expect(read("`match(pattern:)` of `URL` and `Dispatcher`").flatMap(\.unknown) == ["match(pattern:)"])
        #expect(read("`data(from:)`, `nothing` of `Dispatcher`").flatMap(\.unknown) == ["nothing"])
    }

    @Test func otherColumnsAndOtherSectionsDoNotCount() throws {
        let document = """
            ## First

            | Old | New |
            |---|---|
            | none | `Dispatcher` |

            ```
            ## Second
            | `Future` | same |
            ```
            ## Second

            | `Old` |
            |:--|
            | `Dispatcher` |

            ### Part

            | Old |
            |---|
            | `Future` |

            # Third

            | Old |
            |---|
            | `onQueue(_:)` |
            """
        func named(_ heading: String) throws -> [String] {
            try #require(MarkdownTable.tables(of: document, below: heading))
                .flatMap { RowNames.read($0, list) }.flatMap(\.named).map(\.description)
        }
        #expect(try named("First") == [])
        #expect(try named("Second") == ["Dispatcher", "Future"])
        #expect(MarkdownTable.tables(of: document, below: "Third") == nil)
    }

    @Test func aSymbolWithoutARowIsMissing() throws {
        func missing(_ cells: String..., second: String = "same") throws -> [String] {
            let lines = ["## Section", "| Old | New |", "|---|---|"] + cells.map { "| \($0) | \(second) |" }
            let document = lines.joined(separator: "\n")
            let tables = try #require(MarkdownTable.tables(of: document, below: "Section"))
            return SymbolList("A\nA.b(c:)\nA.b(d:)\nA.E.f").missing(in: tables).map(\.description)
        }
        #expect(try missing("`A`, `.b(c:)`, `.b(d:)`", "`A.E`", "`A.E.f`") == [])
        #expect(try missing("`A`, `.b(c:)`", "`A.E.f`") == ["A.b(d:)"])
        #expect(try missing("`A`, `.b`", "b(c:)", "`E.f`") == ["A.b(c:)", "A.b(d:)"])
        #expect(try missing("`A` and all its members") == ["A.b(c:)", "A.b(d:)", "A.E.f"])
        #expect(try missing("`A` and all its members", second: "none; there is B") == [])
        #expect(try missing() == ["A", "A.b(c:)", "A.b(d:)", "A.E.f"])
    }

    @Test func aListWithFaultsIsTold() {
        #expect(SymbolList("A\nA\nlet a = b\n.c\n# d").faults == ["A", "let a = b", ".c"])
    }
}
