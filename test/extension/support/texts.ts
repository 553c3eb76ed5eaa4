/** The wrong lock of the project, in other clothes. */
import { wrongLock } from './project.js';

/** The same module in JavaScript. */
export const wrongLockInJavaScript = wrongLock.replace(
  'orderId: string, takeOne: () => Promise<void>): Promise<boolean>',
  'orderId, takeOne)',
);

/** The same module as CommonJS. */
export const wrongLockInCommonJs = wrongLock
  .replace("import { Redis } from 'ioredis'", "import ioredis = require('ioredis')")
  .replace('new Redis()', 'new ioredis.Redis()')
  .replace('export async function', 'export = async function');

/** A module with JSX, decorators and the wrong lock. */
export const wrongLockAmongDecorators = `${wrongLock}
@Injectable()
export class Stock {
  @Input() accessor amount = 0;
  constructor(@Inject('redis') private readonly client: Redis) {}
}
`;

export const wrongLockWithJsx = `${wrongLock}
export const View = ({ id }: { id: string }) => <button onClick={() => reserve(id, async () => {})}>Take</button>;
`;
