const never = '^$'

/** Names of Node.js' long-term releases, and their major versions. */
const longTerm: Readonly<Record<string, number>> = {
  argon: 4,
  boron: 6,
  carbon: 8,
  dubnium: 10,
  erbium: 12,
  fermium: 14,
  gallium: 16,
  hydrogen: 18,
  iron: 20,
  jod: 22,
  krypton: 24,
}

/** Met by any version, so by the newest. */
const newest = /^(?:node|stable|release|latest|current|default|system|1\.x|x|\*)$/

/**
 * The versions that meet what a build file asks for, as an extended regular expression for bash. A
 * version is there when a present one begins with it (D42); a name that fits none matches nothing.
 */
export function versionPattern(asked: string): string {
  const text = asked.trim().toLowerCase()
  if (newest.test(text)) return '.'
  const pre = /^(nightly|beta)$/.exec(text)?.[1]
  if (pre !== undefined) return `-${pre}`
  const release = /^(?:--)?lts(?:\/(\*|-?\w+))?$/.exec(text)
  if (release) return longTermPattern(release[1])
  const numbered =
    /^(?:v|ruby-|go|php-?|python|ghc-|elm|openjdk|oraclejdk|temurin)?-?(\d+(?:\.\d+)*)(?:\.[x*]|-dev|-p\d+)?$/
  const version = numbered.exec(text)?.[1]
  if (version === undefined) return never
  // Java 8 calls itself 1.8.
  const begins = /jdk|temurin/.test(text) ? String.raw`^(1\.)?` : '^'
  return String.raw`${begins}${version.replaceAll('.', String.raw`\.`)}($|[^0-9])`
}

function longTermPattern(name: string | undefined): string {
  if (name === undefined || name === '*') return String.raw`^[0-9]*[02468]\.`
  const major = Object.hasOwn(longTerm, name) ? longTerm[name] : undefined
  return major === undefined ? never : String.raw`^${major}\.`
}
