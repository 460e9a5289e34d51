import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createProcessExecutor } from '../../src/runner/executors/process/executor.ts'
import { type Level, levels } from '../../src/runner/executors/process/level.ts'
import { runJob } from '../../src/runner/run-job.ts'
import { compileScript } from '../../src/script/compile.ts'
import { scriptInput } from '../script/program.ts'

// Secrets whose text bash changes when it evaluates them: the printed values are nowhere in the
// settings.

const written = {
  KEY: String.raw`$'-----BEGIN KEY-----\nMIIEpAIBAAKCAQEA\nqqqqqqqqqqq==\n-----END KEY-----\n'`,
  DEFAULT: '${UNSET_TOKEN:-s3cret-default}',
  PROCESS: 'pa$$word-and-more',
  CUT: 'abcdef$ghijkl',
  INNER: '$(printf %s s3cret-inner-word)',
  BYTES: String.raw`$'latin-\xfc\xe9-bytes'`,
  SHORT: '${UNSET_TOKEN:-abc}',
}
/** The evaluated values that must not be visible. */
const values = [
  ...['BEGIN KEY', 'MIIEpAIBAAKCAQEA', 'qqqqqqqqqqq==', 'END KEY', 's3cret-default'],
  ...['word-and-more', 'abcdef', 's3cret-inner-word', 'latin-'],
]
const names = Object.keys(written)

async function logOf(
  level: Level,
  given: { env?: unknown; profile?: string; script?: readonly string[] },
  skip: (condition: boolean, note: string) => void,
): Promise<string> {
  const workDir = await mkdtemp(path.join(tmpdir(), 'attack-evaluated-'))
  await chmod(workDir, 0o711)
  const executor = createProcessExecutor({ workDir, runnerId: 'attack', levels: [level] })
  onTestFinished(async () => {
    await executor.close()
    await rm(workDir, { recursive: true, force: true })
  })
  const { ok, says } = await executor.probe()
  skip(!ok, says)
  const { job, secrets, mask_nonce } = compileScript(
    scriptInput({
      variables: Object.entries(written).map(([name, value]) => ({
        ...{ name, value, public: false, of: 'repository' as const },
      })),
      decrypt: (value) => (value.startsWith('sealed:') ? value.slice(7) : undefined),
      config: {
        language: 'generic',
        env: given.env ?? [],
        script: given.script ?? names.map((name) => `printf '${name} <%s>\\n' "$${name}"`),
      },
    }),
  )
  let log = ''
  await runJob(
    executor,
    {
      spec: {
        job_id: 1,
        run_id: '1-1',
        steps: [
          { name: 'clone', script: `cat >~/.bash_profile <<'END'\n${given.profile ?? ''}\nEND` },
          { name: 'job', script: job },
        ],
        inputs: [],
        limits: {},
        network: true,
        deadline_seconds: 60,
      },
      secrets,
      mask_nonce,
      limits: { hard_seconds: 60, silence_seconds: 60, log_bytes: 100_000 },
      worker_info: {},
      started: async () => true,
      sink: async (parts) => {
        log += parts.map(({ content }) => content).join('')
      },
    },
    new AbortController().signal,
  )
  return log.replaceAll('\r\n', '\n')
}

describe.each(levels)('at level %s', (level) => {
  test('the log shows no value that bash derived from a secret', async ({ skip }) => {
    const env = [{ secure: `sealed:OF_FILE=\${UNSET_TOKEN:-of-the-file}` }]
    const script = [...names, 'OF_FILE'].map((name) => `printf '${name} <%s>\\n' "$${name}"`)
    const log = await logOf(level, { env, script }, skip)
    expect(log).toContain('KEY <[secure]')
    expect(log).toContain('\nDEFAULT <[secure]>\n')
    expect(log).toContain('\nOF_FILE <[secure]>\n')
    for (const value of values) expect(log).not.toContain(value)
    expect(log).not.toContain('service_secret')
    expect(log).toContain(
      'Not masked in this log, because it is too short or too common: the secret value of SHORT. ' +
        'If it must stay secret, choose a longer one.',
    )
  })

  test.for(['set -x', 'set -v', 'exec 5>&1; BASH_XTRACEFD=5; set -x', 'set -eu'])(
    'the log shows no such value even if the profile of the job has %s',
    async (profile, { skip }) => {
      const log = await logOf(level, { profile }, skip)
      expect(log).toContain('\nDEFAULT <[secure]>\n')
      for (const value of values) expect(log).not.toContain(value)
      expect(log).not.toContain('service_secret')
    },
  )
})
