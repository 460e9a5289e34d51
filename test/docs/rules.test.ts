import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

/** The one form of an id: `WH-11`, `D24`. */
const idPattern = /\b(?:[A-Z]{2}-\d{2}|D\d{1,2})\b/g

/** What looks like an id of a subject that exists, and is none: `WH11`, `WH-1`, `WH-011`. */
const almostIdPattern =
  /\b(?:WH|RQ|CF|EN|SC|ST|SV|RN|LG|NT)(?:\d{2}|-\d|-\d{3,})\b|\bD-\d{1,2}\b|\b[A-Z]{2}\d-\d\b/g

/** Chapters of documents that a reader of this repository does not have. */
const chapterPattern =
  /\b(?:(?:api-v[\d.]+|pipeline|platform|performance|build-config|demand|decisions?) \d+|runner \d+\.\d|(?:sections?|chapters?) \d|(?:pipeline|platform|performance|build-config|decisions)\.md\b)|§/gi

/** Published standards have chapters as well, and can be looked up. */
const standardPattern = /\b(?:RFC \d|of the standard)/

const rulesPage = 'docs/rules.md'

interface Citation {
  file: string
  cites: string
}

type Tree = ReadonlyMap<string, string>

function findAll(tree: Tree, pattern: RegExp): Citation[] {
  return [...tree].flatMap(([file, text]) =>
    [...text.matchAll(pattern)].map(([cites]) => ({ file, cites })),
  )
}

function explainedIn(page: string): string[] {
  return [...page.matchAll(/^- \*\*(.+?)\*\* /gm)].map(([, id = '']) => id)
}

function unexplained(tree: Tree, page: string): Citation[] {
  const explained = new Set(explainedIn(page))
  return findAll(tree, idPattern).filter(({ cites }) => !explained.has(cites))
}

function uncited(tree: Tree, page: string): string[] {
  const cited = new Set(findAll(tree, idPattern).map(({ cites }) => cites))
  return explainedIn(page).filter((id) => !cited.has(id))
}

function chapters(tree: Tree): Citation[] {
  const lines = [...tree].map(([file, text]) => {
    const ours = text.split('\n').filter((line) => !standardPattern.test(line))
    return [file, ours.join('\n')] as const
  })
  return findAll(new Map(lines), chapterPattern)
}

function filesIn(folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
}

const code = ['src', 'test', 'bench', 'scripts', 'bin', '.ci']
  .flatMap(filesIn)
  .filter((file) => /\.(?:[cm]?js|tsx?|css)$/.test(file) || file === '.ci/run')
  .filter((file) => path.join(root, file) !== import.meta.filename)
const texts = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...filesIn('docs/decisions')]

const read = (file: string) => [file, readFileSync(path.join(root, file), 'utf8')] as const
const source = new Map(code.map(read))
const everything = new Map([...source, ...texts.map(read)])
const page = readFileSync(path.join(root, rulesPage), 'utf8')

describe('the rules that are cited', () => {
  test('are explained', () => {
    expect(unexplained(everything, page)).toEqual([])
  })

  test('are all of those that are explained', () => {
    expect(uncited(source, page)).toEqual([])
  })

  test('are explained once, under ids of one form', () => {
    const ids = explainedIn(page)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    expect(ids.filter((id) => id.replace(idPattern, '') !== '')).toEqual([])
    expect(unexplained(new Map([[rulesPage, page]]), page)).toEqual([])
  })

  test('are not cited in any other form', () => {
    expect(findAll(everything, almostIdPattern)).toEqual([])
  })
})

test('every decision that is cited is recorded', () => {
  const recorded = filesIn('docs/decisions')
  const cited = findAll(everything, /\bdocs\/decisions\/\d{3}/g)
  expect(cited.filter(({ cites }) => !recorded.some((file) => file.startsWith(cites)))).toEqual([])
})

test('no document is cited that is not here', () => {
  expect(chapters(everything)).toEqual([])
})

describe('a planted fault is found:', () => {
  const file = 'src/a.ts'
  const small = '- **WH-11** A repeat.\n- **D24** Public.\n'

  test.each([
    ['in a comment', '/** Whatever (WH-99). */', 'WH-99'],
    ['beside one that is known', '// It is public (D24, D99).', 'D99'],
    ['at the beginning of a comment', '// ZZ-01: whatever.', 'ZZ-01'],
    ['in the title of a test', "test('a repeat is dropped (WH-12)', () => {})", 'WH-12'],
  ])('an unknown id %s', (_where, text, cites) => {
    expect(unexplained(new Map([[file, text]]), small)).toEqual([{ file, cites }])
  })

  test('a rule that no one cites', () => {
    expect(uncited(new Map([[file, '// It is public (D24).']]), small)).toEqual(['WH-11'])
  })

  test.each(['WH11', 'WH-1', 'WH-011', 'D-24', 'LG0-1'])('an id that is written %s', (cites) => {
    expect(findAll(new Map([[file, `/** A repeat (${cites}). */`]]), almostIdPattern)).toEqual([
      { file, cites },
    ])
  })

  test.each([
    'api-v2.1 8.3',
    'api-v3 6',
    'pipeline 3.3',
    'pipeline 1 to 3',
    'performance 9 and 10',
    'runner 5.1',
    'decision 8',
    'build file, section 16',
    'Section 18',
    'see decisions.md',
    '§ 9.2',
  ])('a chapter of an absent document: %s', (where) => {
    expect(chapters(new Map([[file, `/** How it is done (${where}). */`]]))).toHaveLength(1)
  })

  test('but no chapter of a published standard', () => {
    const text =
      '// As SARIF has it (sections 3.13 to 3.57 of the standard), and RFC 9110, section 8.'
    expect(chapters(new Map([[file, text]]))).toEqual([])
  })
})
