import type { Endpoint } from '../../endpoint.ts'
import { hasBody, listedParameters } from '../../openapi/parameters.ts'
import { wordsFor } from '../parts/schema-words.ts'

/** What an endpoint accepts; nothing if it accepts nothing. */
export function Parameters({ endpoint }: { endpoint: Endpoint }) {
  const parameters = listedParameters(endpoint)
  if (parameters.length === 0) return null
  return (
    <>
      <h2 id="parameters">Parameters {hasBody(endpoint) ? 'of the body' : 'of the query'}</h2>
      <table class="table">
        <caption class="unseen">Parameters</caption>
        <thead>
          <tr>
            <th scope="col">Parameter</th>
            <th scope="col">Holds</th>
          </tr>
        </thead>
        <tbody>
          {parameters.map(([name, { schema }]) => (
            <tr>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td class="many" data-name="Holds">
                {schema.description ?? wordsFor(schema)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
