/** A parameter as written in a query, with its decoded name. */
interface Written {
  text: string
  name: string
}

/** Parameters that can only be tokens: links are stored and passed on, so they must not contain them. */
const secret = /^(?:access_token|token|log\.token)(?:$|\[)/i

export function parametersOf(query: string): Written[] {
  return query
    .split('&')
    .map((text) => ({ text, name: nameIn(text) }))
    .filter(({ text }) => text !== '')
}

/** The URL of a call as written, without tokens. */
export function shownUrl(url: string): string {
  const end = url.indexOf('?')
  if (end < 0) return url
  const all = parametersOf(url.slice(end + 1))
  const kept = all.filter(({ name }) => !secret.test(name.trim()))
  if (kept.length === all.length) return url
  const query = kept.map(({ text }) => text).join('&')
  return query === '' ? url.slice(0, end) : `${url.slice(0, end)}?${query}`
}

function nameIn(text: string): string {
  const [name = ''] = text.replaceAll('+', ' ').split('=', 1)
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
