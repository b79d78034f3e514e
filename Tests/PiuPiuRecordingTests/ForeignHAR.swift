/// Recordings in the shapes in which other tools write them.
enum ForeignHAR {
    /// Pseudo header fields, `_` fields, cookies in one value, decoded contents, a blocked request, a WebSocket.
    static let chrome = #"""
        {"log":{"version":"1.2","creator":{"name":"WebInspector","version":"537.36"},
        "pages":[{"startedDateTime":"2024-05-02T09:00:00.000Z","id":"page_1","title":"https://shop.example.com/",
        "pageTimings":{"onContentLoad":312.5,"onLoad":498.1}}],
        "entries":[
        {"_initiator":{"type":"script","stack":{"callFrames":[]}},"_priority":"High","_resourceType":"fetch",
        "cache":{},
        "connection":"443","pageref":"page_1","request":{"method":"GET",
        "url":"https://shop.example.com/api/items?page=1&q=caf%C3%A9","httpVersion":"http/2.0",
        "headers":[{"name":":authority","value":"shop.example.com"},{"name":":method","value":"GET"},
        {"name":":path","value":"/api/items?page=1&q=caf%C3%A9"},{"name":":scheme","value":"https"},
        {"name":"accept-encoding","value":"gzip, deflate, br"}],
        "queryString":[{"name":"page","value":"1"},{"name":"q","value":"caf%C3%A9"}],"cookies":[],
        "headersSize":-1,"bodySize":0},
        "response":{"status":200,"statusText":"","httpVersion":"http/2.0",
        "headers":[{"name":"content-encoding","value":"br"},{"name":"content-length","value":"17"},
        {"name":"content-type","value":"application/json"},{"name":"set-cookie","value":"a=1; path=/\nb=2; path=/"}],
        "cookies":[{"name":"a","value":"1"}],
        "content":{"size":27,"mimeType":"application/json","compression":10,
        "text":"[{\"id\":1,\"name\":\"Caf\u00e9\"}]"},
        "redirectURL":"","headersSize":-1,"bodySize":-1,"_transferSize":140,"_error":null,
        "_fetchedViaServiceWorker":false},
        "serverIPAddress":"192.0.2.1","startedDateTime":"2024-05-02T09:00:00.412Z","time":41.21899999645539,
        "timings":{"blocked":2.1,"dns":-1,"ssl":-1,"connect":-1,"send":0.2,"wait":38.1,"receive":0.8,
        "_blocked_queueing":1.4}},
        {"_resourceType":"image","cache":{},"request":{"method":"GET","url":"https://shop.example.com/dot.png",
        "httpVersion":"h3","headers":[],"queryString":[],"cookies":[],"headersSize":-1,"bodySize":0},
        "response":{"status":200,"statusText":"","httpVersion":"h3","headers":[{"name":"Content-Type",
        "value":"image/png"}],
        "cookies":[],"content":{"size":4,"mimeType":"image/png","text":"iVBORw==","encoding":"base64"},
        "redirectURL":"","headersSize":-1,"bodySize":-1},"startedDateTime":"2024-05-02T09:00:01Z","time":3,
        "timings":{"send":0,"wait":1,"receive":2}},
        {"request":{"method":"GET","url":"https://ads.example.net/pixel","httpVersion":"","headers":[],
        "queryString":[],
        "cookies":[],"headersSize":-1,"bodySize":0},"response":{"status":0,"statusText":"","httpVersion":"",
        "headers":[],
        "cookies":[],"content":{"size":0,"mimeType":"x-unknown"},"redirectURL":"","headersSize":-1,"bodySize":-1,
        "_error":"net::ERR_BLOCKED_BY_CLIENT"},"startedDateTime":"2024-05-02T09:00:01Z","time":0,"timings":{}},
        {"_resourceType":"websocket","_webSocketMessages":[{"type":"send","time":1,"opcode":1,"data":"hi"}],
        "request":{"method":"GET","url":"wss://shop.example.com/live","httpVersion":"HTTP/1.1","headers":[]},
        "response":{"status":101,"statusText":"Switching Protocols","httpVersion":"HTTP/1.1","headers":[],
        "content":{"size":0,"mimeType":"x-unknown"}},"startedDateTime":"2024-05-02T09:00:01Z","time":0,"timings":{}},
        {"request":{"method":"POST","url":"https://shop.example.com/login","httpVersion":"http/2.0",
        "headers":[{"name":"content-type","value":"application/x-www-form-urlencoded"}],"queryString":[],"cookies":[],
        "headersSize":-1,"bodySize":20,"postData":{"mimeType":"application/x-www-form-urlencoded",
        "text":"user=ada&note=a+b%21","params":[{"name":"user","value":"ada"},{"name":"note","value":"a+b%21"}]}},
        "response":{"status":302,"statusText":"","httpVersion":"http/2.0",
        "headers":[{"name":"location","value":"/welcome"}],"cookies":[],
        "content":{"size":0,"mimeType":"text/html"},"redirectURL":"/welcome","headersSize":-1,"bodySize":-1},
        "startedDateTime":"2024-05-02T09:00:02Z","time":9,"timings":{"send":0,"wait":9,"receive":0}},
        {"request":{"method":"GET","url":"https://shop.example.com/welcome","httpVersion":"http/2.0","headers":[]},
        "response":{"status":200,"statusText":"","httpVersion":"http/2.0","headers":[],
        "content":{"size":5,"mimeType":"text/html","text":"Hello"}},"startedDateTime":"2024-05-02T09:00:02Z",
        "time":9,"timings":{"send":0,"wait":9,"receive":0}},
        {"request":{"method":"GET","url":"https://shop.example.com/evicted","httpVersion":"http/2.0","headers":[]},
        "response":{"status":200,"statusText":"","httpVersion":"http/2.0","headers":[],
        "content":{"size":90210,"mimeType":"text/html"}},"startedDateTime":"2024-05-02T09:00:02Z",
        "time":9,"timings":{"send":0,"wait":9,"receive":0}}
        ]}}
        """#

    /// A byte order mark, security states, base64, the charset in the header only, nulls, an entry without a status.
    static let firefox = #"""
        {"log":{"version":"1.2","creator":{"name":"Firefox","version":"126.0"},"browser":{"name":"Firefox",
        "version":"126.0"},"pages":[{"id":"page_1","pageTimings":{"onContentLoad":-12,"onLoad":-1},
        "startedDateTime":"2024-05-02T11:00:00.000+02:00","title":"x"}],
        "entries":[
        {"startedDateTime":"2024-05-02T11:00:00.000+02:00","request":{"bodySize":0,"method":"GET",
        "url":"https://blog.example.org/","httpVersion":"HTTP/2","headers":[{"name":"Host",
        "value":"blog.example.org"}],
        "cookies":[],"queryString":[],"headersSize":300},
        "response":{"status":200,"statusText":"OK","httpVersion":"HTTP/2",
        "headers":[{"name":"content-type","value":"text/html; charset=ISO-8859-1"},
        {"name":"content-encoding","value":"gzip"},{"name":"x-empty","value":""}],
        "cookies":[],"content":{"mimeType":"text/html; charset=ISO-8859-1","size":6,"text":"Grüße"},
        "redirectURL":"","headersSize":210,"bodySize":40},"cache":{},
        "timings":{"blocked":0,"dns":12,"connect":40,"ssl":25,"send":0,"wait":30,"receive":0},"time":82,
        "_securityState":"secure","serverIPAddress":"192.0.2.7","connection":"443","pageref":"page_1"},
        {"startedDateTime":"2024-05-02T11:00:01.000+02:00","request":{"bodySize":13,"method":"PUT",
        "url":"https://blog.example.org/draft","httpVersion":"HTTP/2","headers":[],"cookies":[],"queryString":[],
        "headersSize":300,"postData":{"mimeType":"application/json","params":[],"text":"{\"a\":1, \"b\":[true]}"}},
        "response":{"status":200,"statusText":"OK","httpVersion":"HTTP/2","headers":null,"cookies":[],
        "content":{"mimeType":"application/octet-stream","size":3,"encoding":"base64","text":"AP8Q","comment":"x"},
        "redirectURL":"","headersSize":210,"bodySize":3},"cache":{},"timings":{},"time":null},
        {"startedDateTime":"2024-05-02T11:00:01.000+02:00","request":{"bodySize":0,"method":"GET",
        "url":"https://tracker.example.net/t","httpVersion":"","headers":[]},"response":{},"cache":{},"timings":{}}
        ]}}
        """#

    /// Sizes as floating-point numbers, no readable `startedDateTime`, `_fetchType`.
    static let safari = #"""
        {"log":{"version":"1.2","creator":{"name":"WebKit Web Inspector","version":"1.0"},"pages":[],
        "entries":[{"startedDateTime":null,"time":12.000000476837158,"request":{"method":"GET",
        "url":"https://m.example.com/list?b=2&a=1","httpVersion":"HTTP/2","cookies":[],"headers":[
        {"name":"Accept","value":"*/*"}],"queryString":[{"name":"b","value":"2"},{"name":"a","value":"1"}],
        "headersSize":120.0,"bodySize":0.0},"response":{"status":200.0,"statusText":"OK","httpVersion":"HTTP/2",
        "cookies":[],"headers":[{"name":"Content-Type","value":"text/plain"}],
        "content":{"size":4.0,"compression":0,"mimeType":"text/plain","text":"list"},
        "redirectURL":"","headersSize":80,"bodySize":4,"_transferSize":84},"cache":{},
        "timings":{"blocked":1.5,"dns":-1,"connect":-1,"ssl":-1,"send":0.5,"wait":9,"receive":1},
        "serverIPAddress":"192.0.2.9","_serverPort":443,"connection":"1","_fetchType":"Network Load",
        "_priority":"high"}]}}
        """#

    /// Forms as params only, and bodies in base64.
    static let charles = #"""
        {"log":{"version":"1.2","creator":{"name":"Charles Proxy","version":"4.6.6"},"entries":[
        {"startedDateTime":"2024-05-02T12:00:00.000Z","time":120,"request":{"method":"POST",
        "url":"http://api.example.com:80/form","httpVersion":"HTTP/1.1","cookies":[],
        "headers":[{"name":"Content-Type","value":"application/x-www-form-urlencoded"}],"queryString":[],
        "postData":{"mimeType":"application/x-www-form-urlencoded","params":[{"name":"full name","value":"Ada L"},
        {"name":"pct","value":"100%"}]},"headersSize":200,"bodySize":27},
        "response":{"_charlesStatus":"COMPLETE","status":201,"statusText":"Created","httpVersion":"HTTP/1.1",
        "cookies":[],
        "headers":[{"name":"Transfer-Encoding","value":"chunked"},{"name":"Content-Encoding","value":"gzip"}],
        "content":{"size":2,"compression":0,"mimeType":null,"text":"b2s=","encoding":"base64"},
        "redirectURL":null,"headersSize":100,"bodySize":2},"serverIPAddress":"192.0.2.3","cache":{},
        "timings":{"dns":1,"connect":2,"ssl":-1,"send":1,"wait":100,"receive":16}}]}}
        """#

    /// A proxy that curl went through; no browser, no pages, cookies apart, a comment, a text in a charset of its own.
    static let mitmproxy = #"""
        {"log":{"version":"1.2","creator":{"name":"mitmproxy","version":"10.3.0","comment":""},"pages":[],"entries":[
        {"startedDateTime":"2024-05-02T13:00:00.123456+00:00","time":30.5,"request":{"method":"GET",
        "url":"https://kana.example.jp/","httpVersion":"HTTP/1.1","cookies":[],
        "headers":[{"name":"user-agent","value":"curl/8.7.1"},{"name":"accept","value":"*/*"}],"queryString":[],
        "headersSize":90,"bodySize":0},
        "response":{"status":200,"statusText":"OK","httpVersion":"HTTP/1.1","cookies":[["id","1",{"path":"/"}]],
        "headers":[{"name":"content-type","value":"text/html; charset=Shift_JIS"}],
        "content":{"size":10,"compression":0,"mimeType":"text/html; charset=Shift_JIS","text":"かな"},"redirectURL":"",
        "headersSize":100,"bodySize":10},"cache":{},"timings":{"connect":5.1,"ssl":9.0,"send":0.2,"receive":0.4,
        "wait":15.8},"serverIPAddress":"192.0.2.4","comment":"first"}]}}
        """#
}
