import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileScript } from '../../src/script/compile.ts'
import { quote } from '../../src/script/shell/bash.ts'
import { runJob, runProgram, scriptInput, withHome } from './program.ts'

const execute = promisify(execFile)

const hostile = [
  "it's",
  'say "x"',
  '$(touch "$HOME/pwned")',
  '`touch $HOME/pwned`',
  "'; touch $HOME/pwned; '",
  '"; touch $HOME/pwned; "',
  '\n touch $HOME/pwned\n',
  '\\',
  "\\'",
  '${HOME}',
  '!!',
  '*',
  '-n',
  '',
  'x\ty  z',
  '\u001B[31m',
  'ünïcödé 🙂',
  "$'\\x41'",
  '}\n)\nfi',
]

/**
 * Runs a job with the text in all of its facts, and returns its variables and the files it created.
 */
function runWith(text: string) {
  const { job, build, commit } = scriptInput()
  const names = [
    ...['BRANCH', 'COMMIT_MESSAGE', 'TAG', 'JOB_NAME', 'BUILD_STAGE_NAME', 'COMMIT_RANGE'],
    ...['PULL_REQUEST_BRANCH', 'PULL_REQUEST_SLUG', 'JOB_RESTARTED_BY', 'APP_HOST'],
  ]
  const shown = names.map((name) => `"$SERVICE_${name}"`).join(' ')
  const script = `printf '%s\\0' ${shown} >"$HOME/shown"; cat "$HOME/shown"`
  return withHome(async (home) => {
    const { raw, code } = await runJob(
      { script },
      { home },
      {
        job: { ...job, name: text, stage_name: text, restarted_by: text },
        build,
        commit: { ...commit, branch: text, tag_name: text, message: text, range: text },
        pull_request: {
          number: 1,
          head_branch: text,
          head_sha: text,
          head_slug: text,
          draft: false,
        },
        app_host: text,
      },
    )
    const values = raw.slice(raw.indexOf(script) + script.length + 1).split('\0')
    return { code, values: values.slice(0, names.length), made: await readdir(home) }
  })
}

test.each(hostile.map((text) => [text]))(
  '%j as name, branch or message is treated as plain text',
  async (text) => {
    expect(await runWith(text)).toEqual({
      code: 0,
      values: Array.from({ length: 10 }, () => text.replaceAll('\u001B', '␛')),
      made: ['.ssh', 'build', 'program.sh', 'shown'],
    })
  },
)

test.each(hostile.map((text) => [text]))('%j as a line is run as a whole', async (text) => {
  await withHome(async (home) => {
    const { job } = compileScript(scriptInput({ config: { script: `: <<'END'\n${text}\nEND` } }))
    const { code } = await runProgram(job, { home })
    expect({ code, made: await readdir(home) }).toEqual({
      code: 0,
      made: ['.ssh', 'build', 'program.sh'],
    })
  })
})

describe('the clone program', () => {
  test.each(hostile.map((text) => [text]))('treats %j as plain text as well', async (text) => {
    const { commit } = scriptInput()
    const { clone } = compileScript(
      scriptInput({
        notes: [text],
        source: { input: text },
        commit: { ...commit, ref: text, tag_name: text },
        repository: { slug: 'octavia/hello', private: false, default_branch: text },
      }),
    )
    await withHome(async (home) => {
      const { code } = await runProgram(clone.replace('__service_pause=1', '__service_pause=0'), {
        home,
        env: { SERVICE_INPUT: home },
      })
      expect({ code, made: await readdir(home) }).toEqual({
        code: 2,
        made: ['.ssh', 'build', 'program.sh'],
      })
    })
  })

  test.each(['--upload-pack=touch $HOME/pwned', '-x', '', 'main', 'A'.repeat(40)])(
    'refuses %j as a commit hash',
    async (sha) => {
      const { commit } = scriptInput()
      const { clone } = compileScript(scriptInput({ commit: { ...commit, sha } }))
      const { code, text } = await runProgram(clone)
      expect(code).toBe(2)
      expect(text).toBe(`"${sha}" is not the hash of a commit.\n`)
    },
  )
})

test('a quoted text is read by bash as one unchanged word', async () => {
  const words = fc.array(fc.string({ unit: 'binary' }), { minLength: 50, maxLength: 200 })
  await fc.assert(
    fc.asyncProperty(words, async (texts) => {
      const given = texts.map((text) => Buffer.from(text.replaceAll('\0', '')).toString())
      const { stdout } = await execute('bash', [
        '-c',
        `printf '%s\\0' ${given.map(quote).join(' ')}`,
      ])
      expect(stdout.split('\0').slice(0, -1)).toEqual(given)
    }),
    { numRuns: 20 },
  )
})

test('both programs are valid for any config', async () => {
  const keys = ['script', 'install', 'env', 'language', 'git', 'after_script', 'cache', 'compiler']
  const config = fc.dictionary(fc.constantFrom(...keys), fc.anything({ maxDepth: 4 }))
  await fc.assert(
    fc.asyncProperty(config, async (config) => {
      const { clone, job } = compileScript(scriptInput({ config }))
      const { stderr } = await execute('bash', ['-n', '-c', `${clone}\n${job}`])
      expect(stderr).toBe('')
    }),
    { numRuns: 100 },
  )
})
