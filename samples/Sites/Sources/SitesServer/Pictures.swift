import Foundation

/// Pictures, as they come over the network; some for tests with straight edges.
public enum Pictures {
  /// A black square.
  public static let square = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8"/></svg>
    """

  /// Eight by eight pixels; the left half is black, the right half transparent.
  public static let png = bytes(
    """
    iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAYAAADED76LAAAAE0lEQVR42mNgYGD4j4YxwAhQAABAtx/hR9sDYQAAAA
    BJRU5ErkJggg==
    """)

  /// A PNG that says it has 60,000 pixels a side.
  public static let hugePNG = bytes(
    """
    iVBORw0KGgoAAAANSUhEUgAA6mAAAOpgCAYAAACA0nVCAAAAE0lEQVR42mNgYGD4j4YxwAhQAABAtx/hR9sDYQAAAA
    BJRU5ErkJggg==
    """)

  /// Sixteen by sixteen pixels; the left half is black, the right half white.
  public static let jpeg = bytes(
    """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAUDBAQEAwUEBAQFBQUGBwwIBwcHBw8LCwkMEQ8SEhEPERETFhwXExQaFR
    ERGCEYGh0dHx8fExciJCIeJBweHx7/2wBDAQUFBQcGBw4ICA4eFBEUHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4e
    Hh4eHh4eHh4eHh4eHh4eHh4eHh4eHh7/wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAw
    QFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkK
    FhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmq
    KjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEB
    AQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRob
    HBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOE
    hYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+P
    n6/9oADAMBAAIRAxEAPwD4yr9mK/Gev2YoA//Z
    """)

  /// Waves, two of them.
  static let wave = """
    <?xml version="1.0" encoding="UTF-8"?>
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="navy"
      stroke-width="3">
      <path d="M1 9 q5.5 -9 11 0 t11 0"/>
      <path d="M1 18 q5.5 -9 11 0 t11 0"/>
    </svg>
    """

  /// A crescent, cut out.
  static let moon = bytes(
    """
    iVBORw0KGgoAAAANSUhEUgAAABgAAAAYCAYAAADgdz34AAAAT0lEQVR42mNgGAxARMTmPwzTxNBRw/EaTjULaGr40LcA
    l+GjFhBlAVUsGXALhoYlxFhAkSXEWkDIIrzypFpCli9pajillgxInAyOopwSAAB2+gNhrNfEHAAAAABJRU5ErkJggg==
    """)

  /// A sun that is dark in the middle, with every shade to the rim.
  static let sun = bytes(
    """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYW
    ICwgIyYnKSopGR8tMC0oMCUoKSj/2wBDAQcHBwoIChMKChMoGhYaKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgo
    KCgoKCgoKCgoKCgoKCgoKCgoKCj/wAARCAAYABgDASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcI
    CQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRol
    JicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ip
    qrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAA
    AAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLR
    ChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaX
    mJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEA
    PwD1v4sfEZPC8b2lk6Gcr88nUofQe/8Aj2Irwb/hd+r/AG3H9pXO3PTzWx/Oj9ov7R/wkWpY3bfOfH03Gvnj955/8W7N
    AH6AfCf4jJ4ojS0vXQThfkk6Fz6H3/w7k0V4N+zp9o/4SLTc7tvnJn6bhRQB7z8WPhyniiN7uyRBOF+ePoXPqPf/AA7k
    14N/wpDV/tuf7NuduevlNj+VFFAHvPwn+HKeF40u71EM5X5I+pQ+p9/8exFFFFAH/9k=
    """)

  private static func bytes(_ base64: String) -> [UInt8] {
    Array(Data(base64Encoded: base64, options: .ignoreUnknownCharacters)!)
  }
}
