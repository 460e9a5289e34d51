import { describe, expect, test } from 'vitest'
import { createJobMasker } from '../../src/runner/masking/job-masker.ts'
import { compileScript } from '../../src/script/compile.ts'
import type { ScriptInput } from '../../src/script/input.ts'
import { bodyOf, runJob, runProgram, scriptInput } from './program.ts'

const shown = (name: string, value: string) =>
  ({ name, value, public: true, of: 'repository' }) as const
const secret = (name: string, value: string) =>
  ({ name, value, public: false, of: 'repository' }) as const

/** Treats values that begin with `sealed:` as encrypted. */
const decrypt = (value: string) => (value.startsWith('sealed:') ? value.slice(7) : undefined)

/** The values of the variables with these names in a job. */
async function valuesOf(names: string[], given: Partial<ScriptInput>, env?: unknown) {
  const script = `printf '<%s>\\n' ${names.map((name) => `"\${${name}-unset}"`).join(' ')}`
  const { text, code } = await runJob({ env, script }, {}, given)
  expect(code).toBe(0)
  const printed = text.slice(text.indexOf(`$ ${script}\n`) + script.length + 3)
  return [...printed.matchAll(/<([^\0]*?)>\n/g)].slice(0, names.length).map(([, value]) => value)
}

/** The output of a job as the runner shows it. */
async function shownOf(given: Partial<ScriptInput>): Promise<string> {
  const { job, secrets, mask_nonce } = compileScript(scriptInput(given))
  const { raw } = await runProgram(job)
  const masker = createJobMasker(secrets, mask_nonce)
  return Buffer.concat([masker.push(Buffer.from(raw)), masker.end()]).toString()
}

const secretsOf = (given: Partial<ScriptInput>) => compileScript(scriptInput(given)).secrets

test('variables of the settings come after built-in variables and before those of the file', async () => {
  const variables = [shown('CI', 'settings'), shown('A', '$CI'), secret('B', 'settings')]
  const given = { variables }
  expect(await valuesOf(['CI', 'A', 'B'], given, ['B=file C=$A'])).toEqual([
    'settings',
    'settings',
    'file',
  ])
})

test('each source has a heading, and secrets are not repeated', async () => {
  const variables = [shown('A', '1'), secret('B', 'hunter2')]
  const env = ['C=3', { secure: 'sealed:D=hunter3' }, { E: { secure: 'sealed:hunter4' } }]
  const { text } = await runJob({ env, script: 'skip' }, {}, { variables, decrypt })
  expect(bodyOf({ code: 0, text, raw: '' }))
    .toBe(`Setting environment variables from repository settings
$ export A=1
$ export B=[secure]
Setting environment variables from .service.yml
$ export C=3
$ export D=[secure]
$ export E=[secure]

Done. The exit code of the job is 0.
`)
})

const ofOwner = (name: string, value: string, isPublic: boolean) =>
  ({ name, value, public: isPublic, of: 'owner' }) as const

test('variables of the owner come first, under a heading with its name', async () => {
  const variables = [
    ofOwner('A', '1', true),
    ofOwner('B', 'hunter2', false),
    shown('C', '$A'),
    secret('D', 'hunter3-$B'),
  ]
  const { text } = await runJob({ env: ['E=$D'], script: 'skip' }, {}, { variables })
  expect(bodyOf({ code: 0, text, raw: '' }))
    .toBe(`Setting environment variables from the settings of octavia
$ export A=1
$ export B=[secure]
Setting environment variables from repository settings
$ export C=$A
$ export D=[secure]
Setting environment variables from .service.yml
$ export E=$D

Done. The exit code of the job is 0.
`)
  expect(await valuesOf(['C', 'E'], { variables }, ['E=$D'])).toEqual(['1', 'hunter3-hunter2'])
  expect(secretsOf({ variables })).toContain('hunter2')
})

test.each([['A B'], ['1A'], ['A;touch seen'], ['$(touch seen)']])(
  'a variable stored as %j is left out, and the log reports it',
  async (name) => {
    const { code, text } = await runJob(
      { script: 'ls; echo end' },
      {},
      { variables: [secret(name, 'hunter2'), shown('B', '2')] },
    )
    expect(code).toBe(0)
    expect(text).toContain(`no shell accepts its name: the variable ${JSON.stringify(name)} of`)
    expect(text.split('touch seen')).toHaveLength(name.includes('touch') ? 2 : 1)
    expect(text).not.toContain('hunter2')
    expect(text).toContain('$ export B=2\n')
    expect(text.slice(text.indexOf('$ ls'))).not.toContain('seen')
  },
)

test('secret values that are not masked are listed in the log by name', async () => {
  const variables = [
    ...[secret('SHORT', "'abc'"), secret('LONG', 'hunter2'), secret('EMPTY', '')],
    shown('SEEN', 'abc'),
  ]
  const env = [{ secure: 'sealed:SWITCH=true NUMBER=1000' }]
  expect(await shownOf({ variables, decrypt, config: { env, script: 'skip' } })).toContain(
    'Not masked in this log, because it is too short or too common: the secret value of SHORT, SWITCH. ' +
      'If it must stay secret, choose a longer one.',
  )
  const given = { variables: [secret('LONG', 'hunter2')], config: { script: 'skip' } }
  expect(await shownOf(given)).not.toContain('Not masked')
})

test('encrypted variables get their decrypted values', async () => {
  const env = [
    { secure: 'sealed:A=1 B="x y"' },
    { C: { secure: 'sealed:a b' }, D: 'plain' },
    { E: { secure: 'sealed:F=7 E=8', line: true } },
  ]
  expect(await valuesOf(['A', 'B', 'C', 'D', 'E', 'F'], { decrypt }, env)).toEqual([
    ...['1', 'x y', 'a b', 'plain', '8', 'unset'],
  ])
})

describe('a value of the settings', () => {
  test.each([
    ['two words', 'two words'],
    ['a;b&c|d<e>f', 'a;b&c|d<e>f'],
    ['(x)', '(x)'],
    ["'quo ted'", 'quo ted'],
    ['\'pa$$word `x` \\\\ "y"\'', 'pa$$word `x` \\\\ "y"'],
    [String.raw`'it'\''s $HOME'`, "it's $HOME"],
    ['a & b; c=d #e', 'a & b; c=d #e'],
    ['"quo ted"', 'quo ted'],
    [String.raw`back\ slash`, 'back slash'],
    ['two\nlines', 'two\nlines'],
    ["it's", "it's"],
    ['', ''],
    ['$(echo run)', 'run'],
  ])('%j is %j in a job', async (value, expected) => {
    expect(await valuesOf(['A'], { variables: [secret('A', value)] })).toEqual([expected])
  })

  test('that bash cannot evaluate is skipped, and not shown', async () => {
    const variables = [secret('A', 'x(hunter2'), secret('B', '$(hunter2'), secret('C', '3')]
    const { code, text } = await runJob({ script: 'test "$C" = 3' }, {}, { variables })
    expect(code).toBe(0)
    expect(text).not.toContain('hunter2')
  })
})

describe('SERVICE_SECURE_ENV_VARS', () => {
  test.each<[string, Partial<ScriptInput>, unknown]>([
    ['true', { variables: [secret('A', 'x')] }, undefined],
    ['true', { decrypt }, [{ secure: 'sealed:A=1' }]],
    ['false', { variables: [shown('A', 'x')] }, undefined],
    ['false', { decrypt }, [{ secure: 'damaged' }]],
    ['false', { decrypt: null }, [{ secure: 'sealed:A=1' }]],
    ['false', { withheld: true }, undefined],
  ])('is %s with %j and %j', async (expected, given, env) => {
    expect(await valuesOf(['SERVICE_SECURE_ENV_VARS'], given, env)).toEqual([expected])
  })
})

describe('if secrets are withheld', () => {
  const note = 'so it gets no secret variables'

  test.each<[string, Partial<ScriptInput>, unknown]>([
    ['of the settings', { withheld: true }, undefined],
    ['of the file', { decrypt: null }, [{ secure: 'sealed:A=1' }]],
    ['of the file, with their names', { decrypt: null }, [{ A: { secure: 'sealed:1' } }]],
  ])('secrets %s are missing, and the log reports it once', async (_, given, env) => {
    const { text } = await runJob({ env, script: 'echo "<${A-unset}>"' }, {}, given)
    expect(text.split(note)).toHaveLength(2)
    expect(text).toContain('<unset>')
  })

  test.each([
    { addons: { sauce_connect: { access_key: { secure: 'sealed:1' } } } },
    { addons: { apt: { packages: [{ secure: 'sealed:jq' }] } } },
    { before_script: ['ls', { secure: 'sealed:ls' }] },
  ])('secrets in %j are reported as well', async (config) => {
    const { text } = await runJob({ ...config, script: 'true' }, {}, { decrypt: null })
    expect(text.split(note)).toHaveLength(2)
  })

  test('variables of the owner are reported as such', async () => {
    const { text } = await runJob({ script: 'skip' }, {}, { withheld_of_owner: true })
    expect(text).toContain(
      'This job builds a pull request from a fork, so it gets none of the variables that octavia has ' +
        'for all of its repositories. No setting shares them.\n',
    )
    expect(text).not.toContain(note)
  })

  test('and there are no secrets, nothing is reported', async () => {
    const { text } = await runJob({ env: ['A=1'], script: 'skip' }, {}, { decrypt: null })
    expect(text).not.toContain(note)
  })

  test('add-ons that contain secrets are removed from the input of the program', () => {
    const addons = { sauce_connect: { access_key: { secure: 'sealed:hunter2' } }, apt: ['jq'] }
    const { job, secrets } = compileScript(scriptInput({ decrypt: null, config: { addons } }))
    expect([job.includes('hunter2'), secrets]).toEqual([false, []])
  })
})

describe('the values to mask', () => {
  test('include secret values as they are typed, and as bash expands them', () => {
    const variables = [secret('A', '"hun ter"'), shown('B', 'public'), secret('C', 'it is $HOME')]
    expect(secretsOf({ variables }).toSorted()).toEqual(
      ['"hun ter"', 'hun ter', 'it is $HOME', '"it is $HOME"'].toSorted(),
    )
  })

  test('include the parts around a variable that bash expands', () => {
    const secrets = secretsOf({ variables: [secret('A', 'correcthorse${B}batterystaple')] })
    expect(secrets).toEqual(expect.arrayContaining(['correcthorse', 'batterystaple']))
  })

  test('include all decrypted values and the SSH key', () => {
    const given = {
      decrypt,
      config: {
        env: [{ secure: 'sealed:A=hunter2' }, { B: { secure: 'sealed:hunter3' } }],
        addons: { sauce_connect: { access_key: { secure: 'sealed:hunter4' } } },
        script: [{ secure: 'sealed:echo hunter5' }],
      },
      ssh_key: { text: 'the key\n', fingerprint: null },
    }
    expect(secretsOf(given).toSorted()).toEqual(
      ['echo hunter5', 'hunter2', 'hunter3', 'hunter4', 'the key\n'].toSorted(),
    )
  })
})

test.each([
  ['cannot be decrypted', { secure: 'damaged' }, 'no key that this job has decrypts it'],
  ['has no name', { secure: 'sealed:hunter2' }, 'the encrypted text is not NAME=value'],
  ['has an open quote', { secure: 'sealed:A="hunter2' }, 'the encrypted text is not NAME=value'],
  ['has an invalid name', { secure: 'sealed:1A=hunter2' }, 'the encrypted text is not NAME=value'],
  [
    'has words after the value',
    { secure: 'sealed:A=x hunter2' },
    'the encrypted text is not NAME=value',
  ],
  ['is base64', { secure: 'sealed:hunter2==' }, 'the encrypted text is not NAME=value'],
  ['ends with =', { secure: 'sealed:hunter2=' }, 'the encrypted text is not NAME=value'],
])(
  'a value that %s is left out, and the log shows its position without its text',
  async (_, entry, said) => {
    const { text, code } = await runJob({ env: ['B=1', entry], script: 'env' }, {}, { decrypt })
    expect(code).toBe(0)
    expect(text).toContain('The encrypted variable at env, entry 2 is left out')
    expect(text).toContain(said)
    expect(text).not.toContain('hunter2')
  },
)

describe('an encrypted value outside of env that cannot be decrypted', () => {
  const config = {
    node_js: { secure: 'damaged' },
    addons: {
      apt: { packages: ['jq', { secure: 'foreign' }] },
      x: { token: { secure: 'sealed:a' } },
    },
    deploy: { token: { secure: 'damaged' } },
    script: 'true',
  }

  test('is left out, and the log shows its path', async () => {
    const { text } = await runJob(config, {}, { decrypt })
    const undecryptable =
      'is left out: no key that this job has decrypts it. Encrypt it for this repository, with ' +
      'build-service encrypt.\n'
    expect(text).toContain(`The encrypted value at node_js ${undecryptable}`)
    expect(text).toContain(`The encrypted value at addons.apt.packages[1] ${undecryptable}`)
    expect(text.split('The encrypted value at')).toHaveLength(3)
  })

  test('is reported with its path in the file if that is known, like values in env', async () => {
    const where = (value: string) =>
      ({ damaged: 'jobs.include[1].node_js', other: 'env.jobs[3]' })[value]
    const env = [{ secure: 'other' }, { A: { secure: 'other' } }]
    const given = { decrypt: Object.assign((value: string) => decrypt(value), { where }) }
    const { text } = await runJob({ ...config, env }, {}, given)
    expect(text).toContain('The encrypted value at jobs.include[1].node_js is left out')
    expect(text).toContain('The encrypted variable at env.jobs[3] is left out')
    expect(text).toContain('The variable A (env.jobs[3]) is left out')
  })

  test('beyond the first hundred is reported', async () => {
    const skips = (value: string) => value === 'damaged'
    const given = { decrypt: Object.assign((value: string) => decrypt(value), { skips }) }
    const { text } = await runJob(config, {}, given)
    expect(text).toContain(
      'The encrypted value at node_js is left out: only the first 100 different encrypted values of a job are decrypted.\n',
    )
  })
})
