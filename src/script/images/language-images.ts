import type { JobConfig } from '../../domain/job/job.ts'
import { usesDotnet } from '../language/compiled-languages.ts'
import { android, clojure, java, scala } from './jdk-images.ts'
import { isNewer, sourceOf } from './requested-version.ts'
import { compiler, d, dotnet, elixir, mono, perl, python, r, ruby, rust } from './special-images.ts'
import { type LanguageImage, tagged } from './tagged-image.ts'

const longTerm = [
  ...['argon', 'boron', 'carbon', 'dubnium', 'erbium', 'fermium', 'gallium', 'hydrogen', 'iron'],
  ...['jod', 'krypton'],
]

const named = (tag: string, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, tag]))

const node = tagged(sourceOf('node_js'), 'node', '24', {
  names: {
    ...named('latest', ['node', 'stable', 'latest', 'current']),
    ...named('lts', ['lts/*', '--lts', 'lts']),
    ...Object.fromEntries(longTerm.map((name) => [`lts/${name}`, name])),
  },
  prefix: /^node-?v?/,
})

/** A language of which no maker publishes an image. */
function withoutImage(key?: string): LanguageImage {
  const source = key === undefined ? {} : { key }
  return { source, usual: 'latest', find: (version) => ({ version }) }
}

/** A language for each row, with the newest versions of August 2026. */
export const languageImages: Readonly<Record<string, LanguageImage>> = {
  node_js: node,
  elm: node,
  python,
  ruby,
  go: tagged(sourceOf('go'), 'golang', '1.27', {
    names: { stable: '1', tip: 'tip', master: 'tip' },
    prefix: /^go/,
    tagOf: (version) =>
      isNewer('1.21', version) ? version.replace(/^(1\.\d+)\.0$/, '$1') : version,
  }),
  rust,
  php: tagged(sourceOf('php'), 'php', '8.5', {
    names: { nightly: '8.6-rc', master: '8.6-rc' },
    prefix: /^php-?/,
    tagOf: (version) => version.replace(/(?<=\d)rc(?=\d)/, 'RC'),
  }),
  java,
  groovy: java,
  scala,
  clojure,
  android,
  elixir,
  erlang: tagged(sourceOf('erlang'), 'erlang', '29', { oldest: '17' }),
  haskell: tagged(sourceOf('haskell'), 'haskell', '9.12', { oldest: '7.8', prefix: /^ghc-/ }),
  perl,
  perl6: tagged(sourceOf('perl6'), 'rakudo-star', '2025.02', { names: { latest: 'latest' } }),
  r,
  julia: tagged(sourceOf('julia'), 'julia', '1.12'),
  dart: tagged(sourceOf('dart'), 'dart', '3', {
    names: { stable: 'stable', beta: 'beta' },
    oldest: '2.12',
  }),
  'objective-c': tagged({}, 'swift', '6.2'),
  c: compiler,
  cpp: compiler,
  csharp: mono,
  haxe: tagged(sourceOf('haxe'), 'haxe', '4.3', { names: { stable: 'latest' } }),
  crystal: tagged(sourceOf('crystal'), 'crystallang/crystal', '1.20', {
    names: { ...named('latest', ['stable', 'unstable', 'latest']), nightly: 'nightly' },
  }),
  nix: tagged({ key: 'nix' }, 'nixos/nix', '2.35.2', { names: { latest: 'latest' } }),
  d,
  hack: withoutImage('hhvm'),
  matlab: withoutImage('matlab'),
  smalltalk: withoutImage('smalltalk'),
}

/** How a language gets its image; undefined for languages without programs of their own. */
export function languageImage(language: string, config: JobConfig): LanguageImage | undefined {
  if (language === 'csharp' && usesDotnet(config)) return dotnet
  if (
    language === 'objective-c' &&
    Object.keys(config).some((key) => /^xcode_|^podfile$/.test(key))
  ) {
    return withoutImage()
  }
  return Object.hasOwn(languageImages, language) ? languageImages[language] : undefined
}
