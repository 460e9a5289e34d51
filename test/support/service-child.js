// A service in a process of its own, which a test may have killed at a point of its choice: KILL_AT
// is the name of a hop, with `before ` or `after ` in front. With ` since ` and another hop behind it,
// hops count only from there on; ` 2` behind that is its second time.
import { pino } from 'pino'
import { loadProgram } from '../../bin/program.js'

const program = loadProgram()
const { readConfig } = await program.config()
const { startService } = await program.service()

const [fatal = '', since = ''] = (process.env.KILL_AT ?? '').split(' since ')
const [, first = '', time = '1'] = /^(.*?)(?: (\d+))?$/.exec(since) ?? []
let left = first === '' ? 0 : Number(time)

/** @type {import('../../src/worker/worker.ts').WrapHop} */
const wrapHop = async (hop, work) => {
  if (left > 0 && hop === first) left -= 1
  if (left === 0 && fatal === `before ${hop}`) process.kill(process.pid, 'SIGKILL')
  const result = await work()
  if (left === 0 && fatal === `after ${hop}`) process.kill(process.pid, 'SIGKILL')
  return result
}

const log = pino({ level: process.env.LOG_LEVEL ?? 'error' }, pino.destination(2))
const start = () => startService(readConfig(process.env), { log, wrapHop })

/** Runs the service between the messages `start` and `stop` of the parent, again and again. */
function standBy() {
  /** @type {Awaited<ReturnType<typeof start>> | undefined} */
  let service
  const answer = async (/** @type {unknown} */ request) => {
    if (request === 'start') service = await start()
    else await service?.stop()
    process.send?.(service?.localUrl)
  }
  process.on('message', (request) => void answer(request))
}

async function serve() {
  const service = await start()
  process.on('SIGTERM', () => void service.stop().then(() => process.exit(0)))
  console.log(service.localUrl)
}

if (process.send) standBy()
else await serve()
