import Foundation
internal import CWebPages

extension WebPage {
  /// Reads HTML as it comes, whole or broken, found at `address`; nil if there is nothing in it.
  init?(html: Data, at address: URL) {
    let gatherer = PageGatherer(base: address)
    var reader = sites_page_reader()
    reader.begin = { context, name, link in
      PageGatherer.at(context).begin(
        String(cString: name!), link: link.map { String(cString: $0) })
    }
    reader.text = { context, text in PageGatherer.at(context).add(String(cString: text!)) }
    reader.end = { context, name in PageGatherer.at(context).end(String(cString: name!)) }
    let isRead = html.withUnsafeBytes { bytes in
      sites_read_page(
        bytes.bindMemory(to: CChar.self).baseAddress, bytes.count, &reader,
        Unmanaged.passUnretained(gatherer).toOpaque())
    }
    guard isRead else { return nil }
    self = gatherer.page()
  }
}
