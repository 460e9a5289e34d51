const word = '[a-z\\d]+(?:(?:\\.|__?|-+)[a-z\\d]+)*'
const host = '(?:localhost|[a-z\\d-]+(?:\\.[a-z\\d-]+)+|[a-z\\d.-]+(?=:))(?::\\d{1,5})?'
const tag = '\\w[\\w.-]{0,127}'
const reference = new RegExp(
  `^(?:${host}/)?${word}(?:/${word})*(?::${tag})?(?:@sha256:[a-f\\d]{64})?$`,
)
const wholeTag = new RegExp(`^${tag}$`)

/** Whether a text names an image, as `node:18` or `registry.example:5000/ci/node:18@sha256:…`. */
export function isImage(text: string): boolean {
  return text.length <= 500 && reference.test(text)
}

/** Whether a text can be the tag of an image. */
function isTag(text: string): boolean {
  return wholeTag.test(text)
}

const version = '{version}'

/** Whether the image depends on the requested version. */
export function isTemplate(image: string): boolean {
  return image.includes(version)
}

/** The image of a version; undefined if the version cannot be part of the name of an image. */
export function fillTemplate(template: string, text: string): string | undefined {
  const image = template.replaceAll(version, text)
  return isTag(text) && isImage(image) ? image : undefined
}

/** A version in the first part of a name could choose the registry. */
export function isImageOrTemplate(text: string): boolean {
  const first = text.includes('/') ? text.slice(0, text.indexOf('/')) : ''
  return !isTemplate(first) && isImage(text.replaceAll(version, '1'))
}
