import type { AuthConfig } from 'dockerode'
import type { Environment } from '../../../config/config.ts'
import { isMap } from '../../../domain/config/config-value.ts'
import { isNewer } from '../../../script/images/requested-version.ts'
import { credentialsFor } from './credentials.ts'
import { textOf } from './engine.ts'

const patience = 5000
const mostPages = 10
const mostBytes = 4 * 1024 ** 2
const mostNamed = 6

/** The address that lists the tags of an image, and the scope of a login to its registry. */
interface Place {
  url: URL
  /** The name of the image in its registry. */
  name: string
  tag: string
}

/**
 * The part of a sentence that names the versions of an image like the missing one. Empty if the
 * registry does not list them, which is not an error.
 */
export async function versionsLike(image: string, env: Environment): Promise<string> {
  const place = placeOf(image)
  if (!place) return ''
  try {
    const tags = await tagsAt(place, await credentialsFor(image, env))
    return described(similarTags(place.tag, tags))
  } catch {
    return ''
  }
}

/** Undefined for an image without a tag, such as one named by its digest. */
function placeOf(image: string): Place | undefined {
  const [, first = '', rest = '', tag = ''] =
    /^(?:((?:[^/]*[.:][^/]*|localhost)(?=\/))\/)?([^:@]+):([\w.-]+)$/.exec(image) ?? []
  if (rest === '') return undefined
  const isHub = first === '' || first === 'docker.io'
  const name = isHub && !rest.includes('/') ? `library/${rest}` : rest
  // Engines use registries of their own machine without encryption, too.
  const scheme = /^(?:localhost|127\.)/.test(first) ? 'http' : 'https'
  const host = isHub ? 'registry-1.docker.io' : first
  return { url: new URL(`${scheme}://${host}/v2/${name}/tags/list`), name, tag }
}

async function tagsAt(place: Place, login: AuthConfig | undefined): Promise<string[]> {
  const until = AbortSignal.timeout(patience)
  const found: string[] = []
  let { url } = place
  let authorization: string | undefined
  for (let pages = 0; pages < mostPages; pages += 1) {
    let response = await ask(url, authorization, until)
    if (response.status === 401 && authorization === undefined) {
      const challenge = response.headers.get('www-authenticate') ?? ''
      authorization = await authorize(challenge, { place, login, until })
      response = await ask(url, authorization, until)
    }
    if (!response.ok) throw new Error(`the registry responded with ${response.status}`)
    const body = await jsonOf(response)
    const tags = isMap(body) && Array.isArray(body['tags']) ? body['tags'] : []
    found.push(...tags.filter((tag) => typeof tag === 'string'))
    const next = /<([^>]+)>\s*;\s*rel="?next/.exec(response.headers.get('link') ?? '')?.[1]
    if (next === undefined) break
    const following = new URL(next, url)
    if (following.origin !== url.origin) break
    url = following
  }
  return found
}

function ask(url: URL, authorization: string | undefined, signal: AbortSignal): Promise<Response> {
  // A login is sent only to its own registry.
  return fetch(url, { signal, redirect: 'error', headers: authorization ? { authorization } : {} })
}

/**
 * The credentials that the registry requires: the login itself, or a token that its own server
 * issues for the login.
 */
async function authorize(
  challenge: string,
  { place, login, until }: { place: Place; login: AuthConfig | undefined; until: AbortSignal },
): Promise<string | undefined> {
  const basic = basicOf(login)
  if (!/^bearer /i.test(challenge)) return basic
  const { realm = '', service } = Object.fromEntries(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]),
  )
  const url = new URL(realm)
  if (url.protocol !== 'https:' && place.url.protocol === 'https:') return undefined
  if (service !== undefined) url.searchParams.set('service', service)
  url.searchParams.set('scope', `repository:${place.name}:pull`)
  const answer = await jsonOf(await ask(url, basic, until))
  const token = textOf(answer, 'token') ?? textOf(answer, 'access_token')
  return token && `Bearer ${token}`
}

function basicOf(login: AuthConfig | undefined): string | undefined {
  if (!login || !('username' in login)) return undefined
  return `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`
}

async function jsonOf({ body }: Response): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > mostBytes) throw new Error('the registry sent too much')
  }
  return JSON.parse(Buffer.concat(chunks).toString())
}

const numbers = /^\d+(?:\.\d+)*/

const formOf = (tag: string) => tag.replaceAll(/\d+/g, '0')
const majorOf = (tag: string) => tag.split('.')[0]

/** Tags with as many numbers as the requested tag, and the same text after them: newest first. */
function similarTags(asked: string, tags: readonly string[]): string[] {
  const form = formOf(asked)
  if (!numbers.test(asked)) return []
  const alike = tags.filter((tag) => numbers.test(tag) && formOf(tag) === form && tag !== asked)
  const related = alike.filter((tag) => tag.includes('.') && majorOf(tag) === majorOf(asked))
  return (related.length > 0 ? related : alike).toSorted((one, other) =>
    isNewer(one, other) ? -1 : Number(isNewer(other, one)),
  )
}

/** Tags come from a registry, but are tags: nothing in them needs to be escaped. */
function described(tags: readonly string[]): string {
  const named = tags.filter((tag) => /^[\w.-]{1,128}$/.test(tag))
  if (named.length === 0) return ''
  const others = named.length - mostNamed
  const rest = others > 0 ? ` and ${others} older` : ''
  return `; there are ${named.slice(0, mostNamed).join(', ')}${rest}`
}
