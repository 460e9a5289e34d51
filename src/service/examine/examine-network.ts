import type { Executor } from '../../runner/executor.ts'
import type { Examined } from './examined.ts'
import { runProbe } from './run-probe.ts'

/**
 * Tries whether a container of a job reaches its machine, at the address of the gateway between it and the
 * world, or the address at which cloud machines find their credentials.
 */
export async function examineNetwork(executor: Executor): Promise<Examined> {
  const subject = 'containers'
  try {
    const { text, exit } = await runProbe(executor, program, { network: true })
    if (exit.kind !== 'exited' || exit.code !== 3) {
      const found = `a test program ended unexpectedly: ${JSON.stringify(exit)}`
      const remedy = 'use Docker Engine 20.10 or later; older engines report wrong exit codes'
      return { subject, verdict: 'failure', found, remedy }
    }
    const reached = [...text.matchAll(/^reaches (\S+)/gm)].map(([, address]) => address)
    if (reached.length === 0) {
      const found = 'a test program ran, and cannot reach the machine or its local network'
      return { subject, verdict: 'ok', found }
    }
    const found = `jobs reach ${reached.join(' and ')}`
    const remedy = 'services of the machine must not listen there; see JOB_NETWORK_ALLOW'
    return { subject, verdict: 'warning', found, remedy }
  } catch (error) {
    return { subject, verdict: 'failure', found: (error as Error).message }
  }
}

/** An address without a route is refused immediately; any other response comes from a machine. */
const program = `
while read -r _ target gateway _; do
  [[ $target == 00000000 ]] || continue
  address="$((16#\${gateway:6:2})).$((16#\${gateway:4:2})).$((16#\${gateway:2:2})).$((16#\${gateway:0:2}))"
done </proc/net/route
for each in $address 169.254.169.254; do
  said=$( { exec 3<>/dev/tcp/$each/80; } 2>&1) && echo "reaches $each"
  [[ $said == *'No route'* || $said == *unreachable* || -z $said ]] || echo "reaches $each"
done
exit 3
`
