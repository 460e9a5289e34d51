// The pages of the documentation: their links, their sizes, and the texts that they quote.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  anchorsOf,
  codeBlocks,
  linksIn,
  pagesIn,
  readPage,
  repository,
} from '../support/markdown.ts'

const pages = pagesIn('docs', 'schemas')

/** The links of a page that lead nowhere; those to other sites are not followed. */
function brokenLinks(page: string, text: string): string[] {
  return linksIn(text).filter((link) => {
    if (/^[a-z]+:/.test(link)) return false
    const [file = '', anchor] = link.split('#')
    const target = file === '' ? page : path.join(path.dirname(page), file)
    if (!existsSync(path.join(repository, target))) return true
    if (anchor === undefined) return false
    return !anchorsOf(target === page ? text : readPage(target)).has(anchor)
  })
}

test('every link and anchor leads somewhere', () => {
  const broken = pages.flatMap((page) =>
    brokenLinks(page, readPage(page)).map((link) => `${page}: ${link}`),
  )
  expect(broken).toEqual([])
})

test.each(['[a](nowhere.md)', '[a](api.md#nothing)', '[a](#missing)', '[a]: ../LICENCE'])(
  'a planted link to nowhere is found: %s',
  (text) => {
    expect(brokenLinks('docs/linter.md', `# Linter\n\n${text}\n`)).toHaveLength(1)
  },
)

test('links in code are none, and headings have the anchors of GitHub', () => {
  const page =
    '# A `b` of c, and d\n\n## Twice\n\n## Twice\n\n```md\n# Code\n[a](b.md)\n```\n`[a](b)`\n'
  expect(linksIn(page)).toEqual([])
  expect([...anchorsOf(page)]).toEqual(['a-b-of-c-and-d', 'twice', 'twice-1'])
})

test('the README leads to every page of docs', () => {
  const linked = linksIn(readPage('README.md'))
  const own = pages.filter((page) => path.dirname(page) === 'docs')
  expect(own.length).toBeGreaterThan(10)
  expect(own.filter((page) => !linked.some((link) => link.startsWith(page)))).toEqual([])
})

test('every page that the sources name exists', () => {
  const sources = ['src', 'scripts', 'bench', 'test'].flatMap((folder) =>
    readdirSync(path.join(repository, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:[cm]?js|tsx?)$/.test(name))
      .map((name) => path.join(folder, name)),
  )
  const named = sources.flatMap((source) =>
    [...readPage(source).matchAll(/\bdocs\/(?:[\w-]+\/)*[\w-]+\.md\b/g)].map(([page]) => page),
  )
  expect(named.length).toBeGreaterThan(10)
  expect([...new Set(named)].filter((page) => !existsSync(path.join(repository, page)))).toEqual([])
})

/** Written by programs, or tables of facts: these can be longer than a page that people write. */
const generated = ['docs/why.md', 'docs/settings.md', 'docs/messages.md']

describe('a page can be read at one sitting', () => {
  const sizeOf = (page: string) => readFileSync(path.join(repository, page)).length

  test('the README has at most 9 KB', () => {
    expect(sizeOf('README.md')).toBeLessThanOrEqual(9000)
  })

  test('a page of docs that people write has at most 20 KB', () => {
    const own = pages.filter((page) => path.dirname(page) === 'docs' && !generated.includes(page))
    expect(own.filter((page) => sizeOf(page) > 20 * 1024)).toEqual([])
  })
})

describe('docs/troubleshooting.md quotes the program word for word', () => {
  const sources = readdirSync(path.join(repository, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readPage(path.join('src', name)))
  // Texts are put together of several literals.
  const said = sources.join('\n').replaceAll(/['`]\s*\+\s*['`]/g, '')

  /** What is between the names and numbers of a text, piece by piece. */
  const piecesOf = (text: string) =>
    text
      .split(/…|(?<=[.:]) |, /)
      .map((piece) => piece.trim())
      .filter((piece) => /[a-z]{3}/i.test(piece))

  const quoted = codeBlocks(readPage('docs/troubleshooting.md'))
    .filter(({ language }) => language === 'text')
    .flatMap(({ text }) => text.trim().split('\n'))

  test('ten errors at least', () => {
    expect(quoted.length).toBeGreaterThanOrEqual(10)
  })

  test.each(quoted)('%s', (text) => {
    expect(piecesOf(text).filter((piece) => !said.includes(piece))).toEqual([])
  })

  test('a text that the program never says is found', () => {
    expect(
      piecesOf('the disc of the folder … is full').every((piece) => said.includes(piece)),
    ).toBe(false)
  })
})

describe('the pages on the code', () => {
  const rooms = readdirSync(path.join(repository, 'src'))
    .map((room) => `src/${room}/README.md`)
    .filter((page) => existsSync(path.join(repository, page)))
  const all = ['ARCHITECTURE.md', 'CONTRIBUTING.md', ...rooms]

  /** Paths of files that a page names and that are neither in the repository nor in the room of the page. */
  function missingPaths(page: string, text: string): string[] {
    const named = [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)*\.(?:tsx?|js|md|yml))`/g)]
    return named
      .map(([, name = '']) => name)
      .filter(
        (name) => !/^\.service\.yml$|(?:^|\/)x[./]|^(?:page\.tsx|route\.ts|paths\.ts)$/.test(name),
      )
      .filter((name) =>
        ['', 'src/', `${path.dirname(page)}/`].every(
          (folder) => !existsSync(path.join(repository, folder, name)),
        ),
      )
  }

  test.each(all)('%s names files that exist', (page) => {
    expect(missingPaths(page, readPage(page))).toEqual([])
  })

  test.each(all)('%s has links that lead somewhere', (page) => {
    expect(brokenLinks(page, readPage(page))).toEqual([])
  })

  test('a planted path to nowhere is found', () => {
    expect(missingPaths('src/flow/README.md', '`flow/nothing.ts`')).toEqual(['flow/nothing.ts'])
  })

  test('the architecture has at most 8 KB', () => {
    expect(readFileSync(path.join(repository, 'ARCHITECTURE.md')).length).toBeLessThanOrEqual(8000)
  })
})
