import type { DeliveryResult } from '../../../domain/delivery.ts'
import type { IdleDelivery } from '../../../store/listed-deliveries.ts'
import { PlainBadge } from '../parts/state-badge.tsx'
import { Time } from '../parts/time.tsx'

/** A webhook that changed nothing, with the reason. */
export function DeliveryItem({ delivery, now }: { delivery: IdleDelivery; now: Date }) {
  const { event, action, outcome, result, received_at } = delivery
  return (
    <li class="item">
      <PlainBadge
        shape={result === null ? 'open' : 'rejected'}
        label={labels[result ?? 'waiting']}
      />
      <div>
        <p>
          <bdi>{outcome ?? 'It is not processed yet; it is tried again'}</bdi>
        </p>
        <p class="faint">
          <code>{action === null ? event : `${event} ${action}`}</code>
        </p>
      </div>
      <p class="when">
        <Time at={received_at} now={now} />
      </p>
    </li>
  )
}

const labels: Record<DeliveryResult | 'waiting', string> = {
  request: 'Accepted',
  noted: 'Noted',
  ignored: 'Ignored',
  unknown: 'Unknown',
  error: 'Failed',
  waiting: 'Waiting',
}
