import PiuPiuAsync

/// Shows what PiuPiu does, against two test servers of its own or a real address, and what it can do on this system.
@main
struct Tour {
    private static let help = """
        USAGE: swift run Tour [URL | --doctor]

        Without a URL, the tour starts two HTTP servers on 127.0.0.1 and goes through the
        main jobs of the library. Nothing leaves this machine.

        With an http or https URL, it gets what is there and prints the status, the header
        fields, where the time went, and the start of the body.

        With --doctor, it prints what the HTTP library of this system can do, what is missing
        or limited, and what to install, and the proxies that the environment names, with what
        in no_proxy cannot be understood. It sends nothing.

        The exit status is 0 when everything was as it must be, and 1 otherwise; with --doctor,
        it is 0 when nothing essential is missing.
        """

    static func main() async {
        var arguments = CommandLine.arguments.dropFirst()
        // `swift run Tour -- URL` passes the dashes on.
        if arguments.first == "--" { arguments.removeFirst() }
        switch arguments.first {
        case nil:
            finish(await Guide.run())
        case "--help", "-h":
            print(help)
        case "--doctor" where arguments.count == 1:
            finish(Doctor.run())
        case let argument? where argument.hasPrefix("-") || arguments.count > 1:
            Output.problem("The tour takes one URL, --doctor or nothing.\n\n" + help)
            finish(false)
        case let text?:
            finish(await Visit.run(text))
        }
    }

    private static func finish(_ success: Bool) {
        if !success { exit(1) }
    }
}
