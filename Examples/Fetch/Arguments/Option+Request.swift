extension Option {
    /// What is sent.
    static let requestOptions: [Option] = [
        .value(.request, "X", "request", "METHOD", "Use another method.") { $0.method = try ArgumentValue.method($1) },
        .value(.request, "H", "header", "'NAME: VALUE'", "Send a header field. May be repeated.") {
            $0.headers.append(try ArgumentValue.header($1))
        },
        .value(.request, "A", "user-agent", "TEXT", "Send another User-Agent.") {
            $0.userAgent = try ArgumentValue.header("User-Agent: " + $1).value
        },
        .value(.request, "b", "cookie", "'A=1; B=2'|FILE", "Send cookies, or those of a cookies.txt. May be repeated.")
        {
            $0.cookies.append($1)
        },
        .value(.request, "c", "cookie-jar", "FILE", "Keep cookies, and write them to a cookies.txt at the end.") {
            $0.cookieJar = $1
        },
        .value(.request, "d", "data", "TEXT|@FILE", "Send a form with POST; several are joined with &.") {
            $0.data.append(ArgumentValue.content($1))
        }.emptyable,
        .value(.request, nil, "json", "TEXT|@FILE", "Send JSON with POST.") { $0.json = ArgumentValue.content($1) },
        .value(
            .request,
            "F",
            "form",
            "NAME=VALUE",
            "Send multipart/form-data with POST. VALUE may be @FILE, with "
                + ";type= and ;filename= after it. May be repeated."
        ) {
            $0.form.append(try FormField($1))
        },
        .value(.request, "T", "upload-file", "FILE", "Send a file with PUT; - is standard input.") { $0.upload = $1 },
        .value(
            .request,
            "u",
            "user",
            "NAME[:PASSWORD]",
            "Send a name and a password (Basic). Without one, it is asked for."
        ) {
            $0.user = $1
        },
        .value(.request, nil, "bearer", "VARIABLE|@FILE", "Send the token in an environment variable or a file.") {
            $0.bearer = try SecretSource($1, of: "--bearer")
        },
    ]
}
