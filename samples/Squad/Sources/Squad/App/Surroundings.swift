/// What every screen is given: texts, looks, data and pictures.
package struct Surroundings: Sendable {
  package let data: DataProvider
  package let images: ImageSource
  package var strings: Strings
  package var theme: Theme
  package var care: ImageCare

  package init(
    data: DataProvider, images: ImageSource, strings: Strings = Strings("en"),
    theme: Theme = .light, care: ImageCare = .full
  ) {
    self.data = data
    self.images = images
    self.strings = strings
    self.theme = theme
    self.care = care
  }
}
