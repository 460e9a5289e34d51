import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Executor, JobSpec, Running } from '../../src/runner/executor.ts'
import { type Level, levels } from '../../src/runner/executors/process/level.ts'
import { compileScript, type Programs } from '../../src/script/compile.ts'
import { processExecutor } from '../../src/service/open/open-executor.ts'
import { scriptInput } from '../script/program.ts'
import { needs } from '../support/needs.ts'
import { sshAgent } from '../support/ssh-agent.ts'
import { generatedKey, md5Fingerprint } from '../support/ssh-keygen.ts'
import { cellsOfTable, columnOf } from './levels-table.ts'
import { outputOf } from './output-of.ts'

// Two jobs run at the same time, as those of two repositories do. One has secrets, and the other
// searches for them: a key in an agent, the script, variables in the environment of programs.

const key = sshAgent.missing === undefined ? generatedKey('-t', 'ed25519') : ''
const fingerprint = sshAgent.missing === undefined ? md5Fingerprint(key) : ''
const keyLine = key.split('\n')[1] ?? 'no key'

const victim = compileScript(
  scriptInput({
    variables: [{ name: 'SECRET', value: 'of-the-victim', public: false, of: 'repository' }],
    ssh_key: { text: key, fingerprint: null },
    config: {
      language: 'generic',
      script: [
        'ssh-add -l -E md5',
        'cat build.sh /job/build.sh "$OLDPWD/../job/build.sh" ~/../job/build.sh 2>/dev/null',
        `bash -c 'echo all-"here"; exec sleep 600'`,
      ],
    },
  }),
)

async function folderOf(name: string): Promise<string> {
  const above = await mkdtemp(path.join(tmpdir(), 'attack-'))
  onTestFinished(() => rm(above, { recursive: true, force: true }))
  await chmod(above, 0o711)
  return path.join(above, name)
}

function specOf({ job: script, ssh_key }: Programs): JobSpec {
  return {
    job_id: 900,
    run_id: '900-1',
    steps: [{ name: 'job', script, ...(ssh_key === null ? {} : { ssh_key }) }],
    inputs: [],
    limits: {},
    network: true,
    deadline_seconds: 60,
  }
}

/** Reads the output of a job until all its secrets are in place. */
async function whenReady(running: Running): Promise<string> {
  let text = ''
  for await (const chunk of running.output) {
    text += Buffer.from(chunk).toString()
    if (text.includes('all-here')) break
  }
  return text
}

const attack = (dataDir: string) => `
for agent in $(find /tmp /var/tmp -maxdepth 2 -type s 2>/dev/null) $(find ${dataDir} -type s 2>/dev/null) \\
  /proc/[0-9]*/fd/*/agent* /proc/[0-9]*/cwd/.ssh/agent*; do
  SSH_AUTH_SOCK=$agent timeout 5 ssh-add -l -E md5
done 2>&1
cat ${dataDir}/work/*/job/build.sh /proc/[0-9]*/cwd/../../../../job/build.sh
cat /proc/[0-9]*/environ | tr '\\0' '\\n' | sed 's/^/environment: /'
`

/** The secrets of the victim that another job of the same runner finds. */
async function foundAt(executor: Executor, dataDir: string): Promise<string[]> {
  const running = await executor.start(specOf(victim), new AbortController().signal)
  const own = await whenReady(running)
  expect(own).toContain(`MD5:${fingerprint}`)
  // A dependency that the job installs could also look there.
  expect(own).not.toContain(keyLine)
  const text = await outputOf(executor, [{ name: 'job', script: attack(dataDir) }])
  await running.dispose()
  const signs = {
    agent: `MD5:${fingerprint}`,
    script: 'export SECRET=',
    variable: 'environment: SECRET=of-the-victim',
    key: keyLine,
  }
  return Object.entries(signs).flatMap(([name, sign]) => (text.includes(sign) ? name : []))
}

const row = cellsOfTable().get('read `DATA_DIR`: the master key, the database, other jobs')

const paths = {
  short: { folder: 'data', runnerId: 'r' },
  // The path of a socket in the home of a job would be too long.
  long: { folder: 'the-folder-for-all-data', runnerId: 'runner-'.padEnd(100, 'x') },
}

describe.each(levels)('at level %s', (level: Level) => {
  test.for(Object.entries(paths))(
    'a job can read from another job only what docs/running.md lists, with %s paths',
    { ...needs(sshAgent), timeout: 30_000 },
    async ([, { folder, runnerId }], { skip }) => {
      const dataDir = await folderOf(folder)
      const executor = processExecutor(
        { dataDir, privateKeyPath: undefined },
        { runnerId, levels: [level] },
      )
      onTestFinished(() => executor.close())
      const { ok, says } = await executor.probe()
      skip(!ok, says)
      const all = ['agent', 'script', 'variable']
      expect(await foundAt(executor, dataDir)).toEqual(
        row?.get(columnOf(level)) === 'no' ? [] : all,
      )
    },
  )
})
