import { slugOf } from '../../domain/repository.ts'
import { activeWithoutInstallation } from '../../store/installations/installations.ts'
import type { Store } from '../open/open-store.ts'
import type { Examined } from './examined.ts'

const mostNamed = 10

/** Finds active repositories from which no events arrive. */
export async function* examineCoverage({ db }: Pick<Store, 'db'>): AsyncGenerator<Examined> {
  const found = await activeWithoutInstallation(db)
  if (found.length === 0) return
  const slugs = found.slice(0, mostNamed).map(slugOf).join(', ')
  const more = found.length > mostNamed ? ` and ${found.length - mostNamed} more` : ''
  yield {
    subject: 'covered',
    verdict: 'warning',
    found: `the app is not installed on ${slugs}${more}, so pushes there are not built`,
    remedy: 'add them to its installation at the code host, or deactivate them here',
  }
}
