import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'

/**
 * All addresses of a name, as the machine's file of hosts has it, or else its name servers. The system's
 * own look-up would do, but keeps one of the process's few threads for as long as a server is silent.
 */
export async function resolveName(name: string): Promise<string[]> {
  const known = addressesIn(await readFile('/etc/hosts', 'utf8').catch(() => ''), name)
  if (known.length > 0) return known
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  const results = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const found = results.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
  const [failure] = results
  if (found.length === 0 && failure.status === 'rejected') throw failure.reason
  return found
}

/** The addresses that lines such as `10.1.0.7 chat chat.example.org # ours` have for a name. */
function addressesIn(hosts: string, name: string): string[] {
  const wanted = name.toLowerCase().replace(/\.$/, '')
  return hosts.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    const isNamed = names.some((each) => each.toLowerCase() === wanted)
    return isNamed && isIP(address) > 0 ? [address] : []
  })
}
