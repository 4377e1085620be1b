import { describe, expect, it, test, jest } from '@jest/globals';
import { Stock } from './stock';

// ... existing helpers ...

describe('stock', () => {
  const stock = new Stock({ apple: 3 });

  it.skip('counts', () => {
    expect(stock.total()).toBe(3);
  });

  it.only('takes', async () => {
    await expect(stock.take('apple')).resolves.toEqual({ left: 2 });
  });

  it.each([1, 2])('takes %i', (n) => {
    // eslint-disable-next-line no-console
    console.log(n);
    expect(stock.take('apple', n)).toMatchObject({ left: 3 - n });
  });

  describe.skipIf(process.platform === 'win32')('paths', () => {
    test('are absolute', () => {
      const path = stock.path;
      expect(path.startsWith('/')).toBe(true);
    });
  });
});

test('a plain one', { skip: true }, () => {
  expect(1).toBe(1);
});

export class Shelf {
  size() {
    throw new Error('not implemented');
  }
}
