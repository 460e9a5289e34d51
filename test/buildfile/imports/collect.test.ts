import { describe, expect, test } from 'vitest'
import { composeText } from '../../../src/buildfile/compose/compose-text.ts'
import { collectImports } from '../../../src/buildfile/imports/collect.ts'
import type { ImportTarget } from '../../../src/buildfile/imports/reference.ts'
import type { Loaded, Start } from '../../../src/buildfile/imports/source.ts'

const repository = 'octavia/hello'

function start(text: string, api?: { src: string; merge_mode: string | null }): Start {
  const file = composeText(text)
  if ('error' in file) throw new Error(file.error.message)
  const raw = { source: api?.src ?? '.service.yml', sha: null, text, merge_mode: null }
  if (!api) return { file, raw, src: null, path: '.service.yml' }
  return { file, raw: { ...raw, merge_mode: api.merge_mode }, src: api.src, path: null }
}

/** Collects what files, by their targets, import; the last start is the build file. */
async function collect(starts: string | readonly Start[], files: Readonly<Record<string, string>>) {
  const asked: ImportTarget[] = []
  async function load(target: ImportTarget): Promise<Loaded> {
    asked.push(target)
    const name = `${target.repository}:${target.path}@${target.ref ?? ''}`
    const text = files[name.replace(/^octavia\/hello:/, '').replace(/@$/, '')]
    if (text !== undefined) return { kind: 'loaded', text, source: `read ${name}`, sha: 'c0ffee' }
    if (target.repository !== 'secret/ci') return { kind: 'missing' }
    return { kind: 'refused', refusal: { code: 'invalid_ownership', args: { owner: 'secret' } } }
  }
  const given = typeof starts === 'string' ? [start(starts)] : starts
  const data = { type: 'push', branch: 'main', commit_message: 'v2' }
  const { sources, messages } = await collectImports(given, load, { repository, data })
  return {
    asked,
    read: sources.map(({ src, mode }) => `${src ?? '.service.yml'} ${mode}`),
    raws: sources.map(({ raw }) => raw),
    roots: sources.map(({ root }) => root),
    messages,
  }
}

const append = 'deep_merge_append'

describe('the meaning of a source (CF-40, CF-41)', () => {
  const own = { repository, ref: null }

  test.each([
    ['a.yml', { ...own, path: 'a.yml' }],
    ['./a.yml', { ...own, path: 'a.yml' }],
    ['/a.yml', { ...own, path: 'a.yml' }],
    ['ci/b/../a.yml', { ...own, path: 'ci/a.yml' }],
    ['a b.yml', { ...own, path: 'a b.yml' }],
    ['a.yml@v1', { ...own, path: 'a.yml', ref: 'v1' }],
    ['a.yml@feature/x', { ...own, path: 'a.yml', ref: 'feature/x' }],
    ['Octavia/Hello:a.yml', { repository: 'Octavia/Hello', path: 'a.yml', ref: null }],
    ['team/ci:go.yml', { repository: 'team/ci', path: 'go.yml', ref: null }],
    ['team/ci:./x/go.yml@v1', { repository: 'team/ci', path: 'x/go.yml', ref: 'v1' }],
    ['%{commit_message}.yml', { ...own, path: 'v2.yml' }],
    ['a.yml@%{commit_message}', { ...own, path: 'a.yml', ref: 'v2' }],
  ])('%s', async (source, target) => {
    expect((await collect(`import: "${source}"`, {})).asked).toEqual([target])
  })

  test.each([
    'a.yaml',
    'a',
    '.yml',
    'ci/.yml',
    '../a.yml',
    'ci/../../a.yml',
    'a.yml@',
    'a.yml@b c',
    'team:a.yml',
    'team/ci/x:a.yml',
    'team/ci:a:b.yml',
    'https://host.example/a.yml',
    'a\\\\b.yml',
    'a\\0b.yml',
    '',
  ])('%j has no meaning', async (source) => {
    const { asked, messages } = await collect(`import:\n  - "${source}"`, {})
    expect(asked).toEqual([])
    const written: unknown = JSON.parse(`"${source.replace('\\0', '\\u0000')}"`)
    expect(messages).toEqual([
      {
        level: 'error',
        key: ['import'],
        code: 'invalid_ref',
        args: { ref: written },
        line: 0,
        at: { start: 12, end: 14 + source.length },
      },
    ])
  })

  test('a commit message can neither change the repository nor lead out of it (CF-47)', async () => {
    const message = async (commit_message: string) => {
      const given = [start('import: "%{commit_message}.yml"')]
      const asked: ImportTarget[] = []
      await collectImports(
        given,
        async (target) => {
          asked.push(target)
          return { kind: 'missing' }
        },
        { repository, data: { commit_message } },
      )
      return asked
    }
    expect(await message('../../etc/x')).toEqual([])
    expect(await message('fix\n\nmore')).toEqual([])
    expect(await message('evil/repo:x')).toEqual([{ ...own, path: 'evil/repo:x.yml' }])
  })
})

describe('the forms of the import section', () => {
  test.each([
    ['import: a.yml', ['a.yml deep_merge_append']],
    ['import: [a.yml, b.yml]', ['a.yml deep_merge_append', 'b.yml deep_merge_append']],
    ['import: { source: a.yml, mode: merge }', ['a.yml merge']],
    [
      'import: [{ source: a.yml, mode: deep_merge }, b.yml]',
      ['a.yml deep_merge', `b.yml ${append}`],
    ],
    ['import: [[a.yml]]', ['a.yml deep_merge_append']],
    ['import: { mode: merge }', []],
    ['import: 1', []],
    ['import:', []],
  ])('%s', async (text, read) => {
    const files = { 'a.yml': '', 'b.yml': '' }
    expect((await collect(text, files)).read).toEqual([`.service.yml ${append}`, ...read])
  })
})

describe('the order of precedence', () => {
  test('is depth first, and each file is read once (CF-43)', async () => {
    const { asked, read, messages } = await collect('import: [a.yml, ci/b.yml, a.yml]', {
      'a.yml': 'import: [.service.yml, team/ci:go.yml@v1]',
      'ci/b.yml': 'import: [./c.yml, ci/b.yml, team/ci:go.yml@v1]',
      'ci/c.yml': 'import: a.yml',
      'team/ci:go.yml@v1': 'import: [x/d.yml, octavia/hello:e.yml, team/ci:f.yml]',
      'team/ci:x/d.yml@v1': 'import: ./g.yml',
      'team/ci:x/g.yml@v1': '',
      'team/ci:f.yml@v1': '',
      'e.yml': '',
    })
    expect(messages).toEqual([])
    expect(read.map((each) => each.split(' ')[0])).toEqual([
      ...['.service.yml', 'a.yml', 'team/ci:go.yml@v1', 'team/ci:x/d.yml@v1'],
      ...['team/ci:x/g.yml@v1', 'e.yml', 'team/ci:f.yml@v1', 'ci/b.yml', 'ci/c.yml'],
    ])
    expect(asked).toHaveLength(8)
  })

  const api = (text: string, merge_mode: string | null = null, src = 'api') =>
    start(text, { src, merge_mode })

  test('puts API configurations and their imports first (RQ-23)', async () => {
    const starts = [api('import: a.yml', 'merge'), api('import: b.yml', null, 'api.1')]
    const { read } = await collect([...starts, start('import: c.yml')], {
      'a.yml': '',
      'b.yml': '',
      'c.yml': '',
    })
    expect(read).toEqual([
      ...[`api ${append}`, `a.yml ${append}`, 'api.1 merge', `b.yml ${append}`],
      ...[`.service.yml ${append}`, `c.yml ${append}`],
    ])
  })

  test.each([
    ['replace', null, []],
    [null, 'merge_mode: replace', []],
    ['merge', 'merge_mode: replace', ['.service.yml merge', `a.yml ${append}`]],
    [null, 'merge_mode: deep_merge', ['.service.yml deep_merge', `a.yml ${append}`]],
    [null, 'language: ruby', [`.service.yml ${append}`, `a.yml ${append}`]],
  ])('with the API mode %j and the API text %j then reads %j', async (mode, text, read) => {
    const result = await collect([api(text ?? '{}', mode), start('import: a.yml')], { 'a.yml': '' })
    expect(result.read).toEqual([`api ${append}`, ...read])
    expect(result.messages).toEqual([])
  })

  test('an unknown mode of an API configuration is an error', async () => {
    const { read, messages } = await collect([api('merge_mode: mix'), start('')], {})
    expect(read).toEqual([`api ${append}`, `.service.yml ${append}`])
    const value = { level: 'error', key: ['merge_mode'], code: 'unknown_value' }
    const place = { line: 0, at: { start: 12, end: 15 }, src: 'api' }
    expect(messages).toEqual([{ ...value, args: { value: 'mix' }, ...place }])
  })
})

describe('an import', () => {
  test('that is left out is reported with its file and line', async () => {
    const text =
      'language: ruby\nimport:\n  - a.yml\n  - source: gone.yml@v1\n    mode: mix\n' +
      '  - secret/ci:a.yml'
    const { read, messages } = await collect(text, {
      'a.yml': 'import:\n- source: b\n- source: "%{x}.yml"\n  mode: replace',
    })
    expect(read).toEqual([`.service.yml ${append}`, `a.yml ${append}`])
    expect(messages.map(({ at: _at, ...message }) => message)).toEqual([
      told('invalid_ref', { ref: 'b' }, { line: 1, src: 'a.yml' }),
      {
        ...told('unknown_var', { var: 'x' }, { line: 2, src: 'a.yml' }),
        level: 'warn',
        key: ['import', 'source'],
      },
      {
        ...told('unknown_value', { value: 'replace' }, { line: 3, src: 'a.yml' }),
        key: ['import', 'mode'],
      },
      told('unknown_import', { source: '%{x}.yml' }, { line: 2, src: 'a.yml' }),
      told('unknown_import', { source: 'gone.yml@v1' }, { line: 3 }),
      told('invalid_ownership', { owner: 'secret' }, { line: 1 }),
    ])
  })

  test.each([
    ['branch = dev', 'branch = dev'],
    ['"branch ="', 'branch ='],
    ['false', 'false'],
  ])('is left out if its condition does not hold: %s', async (written, condition) => {
    const text = `import: { source: a.yml, if: ${written} }`
    const { asked, messages } = await collect(text, { 'a.yml': '' })
    expect(asked).toEqual([])
    const args = { source: 'a.yml', condition }
    const skip = { ...told('skip_import', args, { line: 0 }), level: 'info' }
    expect(messages).toEqual([{ ...skip, at: { start: 18, end: 23 } }])
  })

  test('is kept if its condition holds', async () => {
    const text = 'import: { source: a.yml, if: branch = main }'
    expect((await collect(text, { 'a.yml': '' })).read).toHaveLength(2)
  })

  test('is left out if its file cannot be read', async () => {
    const { read, messages } = await collect('import: [a.yml, b.yml, c.yml]', {
      'a.yml': 'a: 1\nb: [',
      'b.yml': '- a',
      'c.yml': '',
    })
    expect(read).toEqual([`.service.yml ${append}`, `c.yml ${append}`])
    expect(messages).toMatchObject([
      { level: 'error', key: [], code: 'parse_error', src: 'a.yml', line: 1 },
      { level: 'error', key: [], code: 'format_error', src: 'b.yml', line: 0 },
    ])
  })

  test('is left out after 25 files, which is reported once (CF-43)', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `${index}.yml`)
    const files = Object.fromEntries(names.map((name) => [name, 'import: 0.yml']))
    const { asked, read, messages } = await collect(`import: [${names.join(', ')}]`, files)
    expect(read).toHaveLength(25)
    expect(asked).toHaveLength(24)
    const first = { start: 9 + names.slice(0, 24).join(', ').length + 2 }
    const at = { ...first, end: first.start + '24.yml'.length }
    expect(messages).toEqual([{ ...told('too_many_imports', { max: 25 }, { line: 0 }), at }])
  })

  test('counts towards the maximum even if it is unavailable, and so do API configurations', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `${index}.yml`)
    const starts = [
      start('{}', { src: 'api', merge_mode: null }),
      start(`import: [${names.join()}]`),
    ]
    const { asked, messages } = await collect(starts, {})
    expect(asked).toHaveLength(23)
    expect(messages).toHaveLength(24)
  })
})

test('texts are kept with their merge modes (CF-12)', async () => {
  const text = 'import: { source: team/ci:a.yml, mode: merge }'
  const { raws } = await collect(text, { 'team/ci:a.yml': 'a: 1' })
  const source = 'read team/ci:a.yml@'
  expect(raws).toEqual([
    { source: '.service.yml', sha: null, text, merge_mode: null },
    { source, sha: 'c0ffee', text: 'a: 1', merge_mode: 'merge' },
  ])
})

test('anchors are not shared between files', async () => {
  const { roots } = await collect('import: a.yml\nx: &x 1', { 'a.yml': 'y: *x' })
  expect(roots[1]?.entries).toMatchObject([{ key: 'y', value: { kind: 'none' } }])
})

function told(code: string, args: Record<string, unknown>, place: Record<string, unknown>) {
  return { level: 'error', key: ['import'], code, args, ...place }
}
