/// Recognizes .NET's localized messages that an object belongs to another thread. The runtime
/// prints messages in the language of the system.
enum TranslatedClaim {
  /// True if the text contains a localized message that an object belongs to another thread.
  static func matches(_ text: String) -> Bool {
    text.utf8.contains { $0 >= 0x80 } && ThreadClaim.translations.contains(where: text.contains)
      || text.contains("Operazione cross-thread non valida")
  }
}

extension ThreadClaim {
  /// A distinctive part of each localized message.
  package static let translations = [
    // German, in current and older versions.
    "Ungültiger threadübergreifender Vorgang", "Der aufrufende Thread kann nicht auf dieses Objekt",
    // French.
    "Opération inter-threads non valide",
    "Le thread appelant ne peut pas accéder à cet objet",
    // Spanish.
    "Operación no válida a través de subprocesos",
    "El subproceso que realiza la llamada no puede obtener acceso a este objeto",
    // Italian.
    "Il thread chiamante non può accedere a questo oggetto",
    "Il thread chiamante non riesce ad accedere",
    // Portuguese.
    "Operação entre threads inválida", "Operação de threads cruzados inválida",
    "O thread de chamada não pode acessar este objeto",
    // Polish and Russian.
    "Nieprawidłowa operacja między wątkami",
    "Wątek wywołujący nie może uzyskać dostępu do tego obiektu",
    "Недопустимая операция в нескольких потоках",
    "Вызывающий поток не может получить доступ к данному объекту",
    "Вызывающий поток не может получить доступ к этому объекту",
    // Japanese, Korean.
    "有効ではないスレッド間の操作", "別のスレッドに所有されているため",
    "크로스 스레드 작업이 잘못되었습니다", "다른 스레드가 이 개체를 소유",
    // Chinese, simplified and traditional.
    "线程间操作无效", "调用线程无法访问此对象", "跨執行緒作業無效", "呼叫執行緒無法存取此物件",
  ]
}
