import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Executor, Exit, JobSpec, Probe, Running, Step } from '../../src/runner/executor.ts'
import { noRoomCode, refusedCode } from '../../src/script/clone-codes.ts'

export interface Tried {
  executor: Executor
  probe: Probe
  /** Whether a process that leaves its session, its parent and its environment is killed as well. */
  kills_everything: boolean
  /** Variables that the executor sets in addition to those that all executors set. */
  adds: string[]
  /** The account that jobs run as. */
  account: 'ci' | 'root'
  /** Everything that the executor has created for jobs; empty when no job runs. */
  leftovers(): Promise<string[]>
}

const never = new AbortController().signal
let runs = 0

function specOf(steps: Step[], changes: Partial<JobSpec> = {}): JobSpec {
  const [first, ...others] = steps
  if (!first) throw new Error('a job has steps')
  runs += 1
  return {
    job_id: runs,
    run_id: `${runs}-1`,
    steps: [first, ...others],
    inputs: [],
    limits: {},
    network: true,
    deadline_seconds: 60,
    ...changes,
  }
}

const clone = (script: string): Step => ({ name: 'clone', script })
const job = (script: string): Step => ({ name: 'job', script })

async function textOf({ output }: Pick<Running, 'output'>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of output) chunks.push(chunk)
  return Buffer.concat(chunks).toString().replaceAll('\r\n', '\n')
}

/** The contract of every executor, whatever its machines are. */
export function executorContract(open: () => Promise<Tried>): void {
  let tried: Tried
  let scratch: string

  beforeAll(async () => {
    tried = await open()
    scratch = await mkdtemp(path.join(tmpdir(), 'contract-'))
    await chmod(scratch, 0o711)
  })
  afterAll(async () => {
    await tried.executor.close()
    expect(await tried.leftovers()).toEqual([])
    await rm(scratch, { recursive: true })
  })

  async function start(steps: Step[], changes: Partial<JobSpec> = {}): Promise<Running> {
    const running = await tried.executor.start(specOf(steps, changes), never)
    onTestFinished(() => running.dispose())
    return running
  }

  async function run(
    steps: Step[],
    changes: Partial<JobSpec> = {},
  ): Promise<{ exit: Exit; text: string }> {
    const running = await start(steps, changes)
    const text = await textOf(running)
    return { exit: await running.wait(), text }
  }

  describe('the exit', () => {
    test.each([
      ['true', 0],
      ['exit 1', 1],
      ['exit 2', 2],
      ['exit 255', 255],
      ['kill -9 $$', 137],
      ['kill -TERM $$', 143],
    ])('of "%s" has code %i', async (script, code) => {
      expect((await run([job(script)])).exit).toEqual({ kind: 'exited', code })
    })

    test('is reported with the complete output', async () => {
      const { exit, text } = await run([job("head -c 2000000 /dev/zero | tr '\\0' x; exit 1")])
      expect(exit).toEqual({ kind: 'exited', code: 1 })
      expect(text).toBe('x'.repeat(2_000_000))
    })

    test('leaves no process behind', async () => {
      const nap = newNap()
      const { exit, text } = await run([job(`${nap} & echo started; exit 3`)])
      expect({ exit, text }).toEqual({ exit: { kind: 'exited', code: 3 }, text: 'started\n' })
      expect(commands()).not.toContain(nap)
    })

    test('is the same for each call of wait', async () => {
      const running = await start([job('exit 4')])
      await textOf(running)
      const ends = await Promise.all([running.wait(), running.wait()])
      expect(ends).toEqual([
        { kind: 'exited', code: 4 },
        { kind: 'exited', code: 4 },
      ])
    })
  })

  describe('steps', () => {
    test('run in their order and share a home', async () => {
      const { exit, text } = await run([
        clone('echo one; echo kept > file; mkdir -p build'),
        job('echo two; cat "$HOME/file"; ls -1'),
      ])
      expect(exit).toEqual({ kind: 'exited', code: 0 })
      expect(text).toBe('one\ntwo\nkept\nbuild\nfile\n')
    })

    test('end with the first step that fails', async () => {
      const { exit, text } = await run([clone('echo one; exit 2'), job('echo two')])
      expect({ exit, text }).toEqual({ exit: { kind: 'exited', code: 2 }, text: 'one\n' })
      const full = await run([clone(`exit ${noRoomCode}`), job('echo two')])
      expect(full.exit).toEqual({ kind: 'lost', why: 'the disk of its machine is full' })
      expect((await run([job(`exit ${noRoomCode}`)])).exit).toMatchObject({ kind: 'exited' })
      const refused = await run([clone(`exit ${refusedCode}`), job('echo two')])
      expect(refused).toMatchObject({ exit: { kind: 'refused' }, text: '' })
      expect((await run([job(`exit ${refusedCode}`)])).exit).toMatchObject({ kind: 'exited' })
    })

    test('leave no process behind when the next one starts', async () => {
      const nap = newNap()
      const { text } = await run([clone(`${nap} & exit 0`), job(commandsInJob)])
      expect(text).not.toContain(nap)
    })

    test('name none of our files in the messages of bash, and get no arguments', async () => {
      const script = 'cd /no-such-folder\n./no-such-program\necho "$0 $# ${BASH_SOURCE[0]}"'
      const { text } = await run([job(script)])
      expect(text.replaceAll(/ line \d+:/g, '')).toBe(
        'bash: cd: /no-such-folder: No such file or directory\n' +
          'bash: ./no-such-program: No such file or directory\nbash 0 \n',
      )
    })

    test('do not see the script or the environment of another step', async () => {
      const { text } = await run([
        clone(`# clone-text\n${search('job')}`),
        job(`# job-text\n${search('clone')}`),
      ])
      expect(text).toBe('searched\nsearched\n')
    })
  })

  describe('a program', () => {
    test('starts without the environment of the service', async () => {
      const { text } = await run([job('env -0 | tr "\\0" "\\n"')])
      const seen = Object.fromEntries(
        text
          .trim()
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
      )
      for (const own of ['_', 'PWD', 'OLDPWD', 'SHLVL', ...tried.adds]) {
        delete seen[own]
      }
      expect(seen).toEqual({
        PATH: expect.stringContaining('/usr/bin'),
        HOME: expect.stringMatching(/^\//),
        USER: tried.account,
        LOGNAME: tried.account,
        SHELL: '/bin/bash',
        TERM: 'xterm-256color',
        LANG: 'C.UTF-8',
        PAGER: 'cat',
        GIT_PAGER: 'cat',
        GIT_TERMINAL_PROMPT: '0',
        GIT_ASKPASS: 'echo',
        DEBIAN_FRONTEND: 'noninteractive',
      })
    })

    test('starts in its home, which is closed to other users', async () => {
      const { text } = await run([job('[ "$PWD" = "$HOME" ] && stat -c %a . && umask')])
      expect(text).toBe('700\n0022\n')
    })

    test('is not root on the machine, and cannot read files that only root can read', async () => {
      const { text } = await run([job('[ "$(id -u)" != 0 ] && echo user; cat /etc/shadow')])
      const files = 'cat: /etc/shadow: (?:Permission denied|No such file)'
      expect(text).toMatch(new RegExp(`^${tried.account === 'root' ? '' : 'user\n'}${files}`))
    })

    test('reads the end of its input immediately, because no one can type', async () => {
      const { exit } = await run([job('read -r answer; [ -z "$answer" ] && exit 5')])
      expect(exit).toEqual({ kind: 'exited', code: 5 })
    })

    test('can write to /dev/stdout and /dev/stderr by name', async () => {
      const { text } = await run([job('echo one > /dev/stdout; echo two > /dev/stderr')])
      expect(text).toBe('one\ntwo\n')
    })

    test('prints errors and output in the order it wrote them', async () => {
      const { text } = await run([job('for i in 1 2 3; do echo $i; echo $i >&2; done')])
      expect(text).toBe('1\n1\n2\n2\n3\n3\n')
    })

    test('is kept within the limits that the probe reports', async () => {
      const { processes, no_network } = tried.probe.enforces
      const fork = 'for i in $(seq 60); do sleep 9 >/dev/null 2>&1 & done 2>&1 | grep -c -m1 retry'
      const forked = await run([job(fork)], { limits: { processes: 30 } })
      // The limit can also hit the shell that starts grep, which then reports it itself.
      const refused = /retry|^1$/m.test(forked.text)
      const list = 'tail -n +3 /proc/net/dev | cut -d: -f1'
      const listed = await run([job(list)], { network: false })
      expect({
        processes: !processes || refused,
        no_network: !no_network || listed.text.trim() === 'lo',
      }).toEqual({ processes: true, no_network: true })
    })
  })

  describe('inputs', () => {
    test('exist for the step "clone" only', async () => {
      const inputs = [{ name: 'source.git', path: await repository() }]
      const there = '[ -e "$(cat ~/where)/source.git" ] && echo there || echo gone; '
      const { text } = await run(
        [
          clone(
            `echo "$SERVICE_INPUT" > where; ${there} ls "$SERVICE_INPUT/source.git"; ` +
              'git init -q x && cd x && ' +
              'git fetch -q "file://$SERVICE_INPUT/source.git" refs/pull/7/merge && ' +
              'git checkout -q FETCH_HEAD',
          ),
          job(`${there} cat x/file; echo "\${SERVICE_INPUT-unset}"`),
        ],
        { inputs },
      )
      expect(text.split(/\s+/)).toEqual([
        ...['there', 'HEAD', 'config', 'objects', 'packed-refs', 'refs'],
        ...['gone', 'of', 'the', 'commit', 'unset', ''],
      ])
    })

    test('have no variable when a job has none', async () => {
      const { text } = await run([clone('echo "${SERVICE_INPUT-unset}"')])
      expect(text).toBe('unset\n')
    })

    test('can be any folder, whose links stay links', async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'folder-'))
      onTestFinished(() => rm(folder, { recursive: true }))
      await mkdir(path.join(folder, 'below'))
      await writeFile(path.join(folder, 'below/file'), 'found\n', { mode: 0o600 })
      execFileSync('ln', ['-s', '/etc/shadow', path.join(folder, 'link')])

      const script = 'cd "$SERVICE_INPUT/it"; cat below/file; readlink link'
      const { text } = await run([clone(script)], { inputs: [{ name: 'it', path: folder }] })
      expect(text).toBe('found\n/etc/shadow\n')
    })

    test('that do not exist are reported as a fault of the machine', async () => {
      const spec = specOf([clone('true')], { inputs: [{ name: 'it', path: '/none/such' }] })
      await expect(tried.executor.start(spec, never)).rejects.toMatchObject({
        blame: 'machine',
        message: expect.stringContaining('/none/such could not be copied'),
      })
      expect(await tried.leftovers()).toEqual([])
    })
  })

  describe('kill', () => {
    const flood = 'while :; do echo 0123456789012345678901234567890123456789; done'

    test.each([
      ['silent', 'echo ready; NAP'],
      ['flooding', `echo ready; ${flood}`],
      ['ignoring signals', 'trap "" TERM HUP INT; echo ready; NAP; NAP'],
    ])('ends a job that is %s, and its output', async (_, text) => {
      const nap = newNap()
      const script = text.replaceAll('NAP', nap)
      const running = await start([job(script)])
      let killing: Promise<void> | undefined
      for await (const bytes of running.output) {
        if (bytes.length > 0) killing ??= running.kill()
      }
      await killing
      expect(await running.wait()).toEqual({ kind: 'killed' })
      expect(commands()).not.toContain(nap)
    })

    test('ends a job whose output no one reads', async () => {
      const running = await start([job(flood)])
      await running.kill()
      expect(await running.wait()).toEqual({ kind: 'killed' })
      expect(await textOf(running)).toBe('')
    })

    test('can be called before the first byte, and twice', async () => {
      const running = await start([clone(newNap()), job('echo never')])
      await Promise.all([running.kill(), running.kill()])
      await running.kill()
      expect(await running.wait()).toEqual({ kind: 'killed' })
      expect(await textOf(running)).toBe('')
    })

    test('changes nothing after the job has ended', async () => {
      const running = await start([job('exit 6')])
      await textOf(running)
      await running.wait()
      await running.kill()
      expect(await running.wait()).toEqual({ kind: 'exited', code: 6 })
    })

    test('ends processes that leave the session of the job', async () => {
      const nap = newNap()
      const bare = tried.kills_everything ? `env -i setsid ${nap} &` : ''
      const running = await start([
        job(`${nap} & setsid ${nap} & (setsid ${nap} &) ; ${bare} sleep 0.1; echo ready; ${nap}`),
      ])
      for await (const _ of running.output) break
      expect(commands()).toContain(nap)
      await running.kill()
      expect(commands()).not.toContain(nap)
    })
  })

  describe('terminate', () => {
    /** Terminates a job that has printed `ready`, and reads its later output. */
    async function terminated(steps: Step[]): Promise<{ running: Running; text: () => string }> {
      const running = await start(steps)
      const output = running.output[Symbol.asyncIterator]()
      let text = ''
      const read = async () => {
        const { value, done } = await output.next()
        if (!done) text += Buffer.from(value).toString().replaceAll('\r\n', '\n')
        return !done
      }
      while (!text.includes('ready') && (await read())) continue
      await running.terminate()
      const rest = async () => {
        while (await read()) continue
      }
      void rest()
      return { running, text: () => text }
    }

    test('lets traps tidy up, and shows what they print', async () => {
      const nap = newNap()
      const script = `trap 'sleep 0.2; echo tidy; exit 9' TERM; ${nap} & echo ready; wait`
      const { running, text } = await terminated([job(script)])
      expect(await running.wait()).toEqual({ kind: 'killed' })
      expect(text()).toBe('ready\ntidy\n')
      expect(commands()).not.toContain(nap)
    })

    test('waits for the command in the foreground, and runs no command after it', async () => {
      const script = `bash -c 'trap "sleep 0.2; echo tidy; exit 0" TERM; ${newNap()} & echo ready; wait'`
      const { running, text } = await terminated([job(`${script}; echo never`)])
      expect(await running.wait()).toEqual({ kind: 'killed' })
      expect(text()).toBe('ready\ntidy\n')
    })

    test('reaches processes that leave the session of the job', async () => {
      const nap = newNap()
      const away = (name: string) =>
        `setsid bash -c 'trap "echo ${name} > ${name}; exit" TERM; ${nap} & touch ${name}-up; wait' &`
      const { running, text } = await terminated([
        job(
          `trap 'until [ -s one ] && [ -s two ]; do sleep 0.05; done; cat one two; exit' TERM; ` +
            `${away('one')} (${away('two')}) ; ` +
            `until [ -e one-up ] && [ -e two-up ]; do sleep 0.05; done; ${nap} & echo ready; wait`,
        ),
      ])
      expect(await running.wait()).toEqual({ kind: 'killed' })
      expect(text()).toMatch(/one\ntwo\n$/)
      expect(commands()).not.toContain(nap)
    })

    test('does not end a job that ignores TERM; kill does', async () => {
      const nap = newNap()
      const { running } = await terminated([job(`trap '' TERM; ${nap} & echo ready; wait`)])
      expect(await Promise.race([running.wait(), pause(300, 'still there')])).toBe('still there')
      expect(commands()).toContain(nap)
      await running.kill()
      expect(await running.wait()).toEqual({ kind: 'killed' })
      expect(commands()).not.toContain(nap)
    })

    test('starts no further step, even if the current one succeeds', async () => {
      const script = `trap 'exit 0' TERM; ${newNap()} & echo ready; wait`
      const { running, text } = await terminated([clone(script), job('echo never')])
      expect(await running.wait()).toEqual({ kind: 'killed' })
      expect(text()).not.toContain('never')
    })

    test('can be called before the first byte, and twice', async () => {
      const running = await start([clone(newNap()), job('echo never')])
      await Promise.all([running.terminate(), running.terminate()])
      await running.kill()
      expect(await textOf(running)).not.toContain('never')
      expect(await running.wait()).toEqual({ kind: 'killed' })
    })

    test('changes nothing after the job has ended', async () => {
      const running = await start([job('exit 6')])
      await textOf(running)
      await running.wait()
      await running.terminate()
      expect(await running.wait()).toEqual({ kind: 'exited', code: 6 })
    })
  })

  test('a job waits while no one reads its output', async () => {
    const running = await start([job('head -c 20000000 /dev/zero; exit 9')])
    const early = await Promise.race([running.wait(), pause(200, 'waiting')])
    expect(early).toBe('waiting')

    let bytes = 0
    for await (const chunk of running.output) bytes += chunk.length
    expect(bytes).toBe(20_000_000)
    expect(await running.wait()).toEqual({ kind: 'exited', code: 9 })
  })

  describe('dispose', () => {
    test('ends the job and removes its files, whatever their names and permissions', async () => {
      const running = await start([
        job(
          'mkdir -p "a b/c/d"; touch "a b/c/d/e" -- -f; ln -s /etc link; ' +
            'chmod 000 "a b/c/d" "a b/c"; chmod 500 "a b" .; echo ready; ' +
            newNap(),
        ),
      ])
      for await (const _ of running.output) break
      await Promise.all([running.dispose(), running.dispose()])
      expect(await tried.leftovers()).toEqual([])
      expect(await running.wait()).toEqual({ kind: 'killed' })
      expect((await stat('/etc')).isDirectory()).toBe(true)
    })
  })

  describe('start', () => {
    test('does nothing when it is canceled before it begins', async () => {
      const spec = specOf([job('true')])
      const reason = { kind: 'canceled' }
      await expect(tried.executor.start(spec, AbortSignal.abort(reason))).rejects.toBe(reason)
      expect(await tried.leftovers()).toEqual([])
    })

    test('leaves nothing behind when it is canceled halfway', async () => {
      const controller = new AbortController()
      const nap = newNap()
      const spec = specOf([job(nap)])
      const starting = tried.executor.start(spec, controller.signal)
      controller.abort(new Error('called off'))
      await expect(starting).rejects.toThrow('called off')
      expect(await tried.leftovers()).toEqual([])
      expect(commands()).not.toContain(nap)
    })

    test('keeps jobs that run at the same time apart', async () => {
      const steps = [job('echo mine > file; sleep 0.1; cat file; ls -A')]
      const texts = await Promise.all([1, 2, 3].map(async () => (await run(steps)).text))
      expect(texts).toEqual(Array.from({ length: 3 }, () => 'mine\nfile\n'))
    })
  })

  test('close ends the jobs that still run', async () => {
    const { executor, leftovers } = await open()
    const running = await executor.start(specOf([job(newNap())]), never)
    await executor.close()
    expect(await running.wait()).toEqual({ kind: 'killed' })
    expect(await leftovers()).toEqual([])
  })
}

/** Prints in which of the places that a script can search the other step's text is. */
const search = (word: string) =>
  `w=${word}; for f in /job/build.sh "$HOME"/../{clone,job}/build.sh "$HOME"/* ` +
  `/proc/[0-9]*/environ /proc/[0-9]*/cmdline; do grep -qs "$w-text" "$f" && ` +
  `echo "$w in $f"; done; echo searched`

/** A repository with a pull request, closed to all other users, like one in a developer's home. */
async function repository(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'repository-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: folder,
      stdio: 'pipe',
    })
  git('init', '-q', '-b', 'main')
  await writeFile(path.join(folder, 'file'), 'of the commit\n')
  await writeFile(path.join(folder, '.git/hooks/post-checkout'), '', { mode: 0o755 })
  git('add', '.')
  git('commit', '-q', '-m', 'one')
  git('update-ref', 'refs/pull/7/merge', 'HEAD')
  return folder
}

let naps = 0

/** A command that runs forever, and that no other process on this machine runs. */
function newNap(): string {
  naps += 1
  return `sleep 1${process.pid}.${naps}1`
}

/** The command lines of all processes on this machine. */
function commands(): string {
  return execFileSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => !line.startsWith('Z'))
    .join('\n')
}

const commandsInJob = "for f in /proc/[0-9]*/cmdline; do tr '\\0' ' ' < $f; echo; done 2>/dev/null"
