// Heights of many rows of which few were measured: where a row begins and which row is at a place, without walking all.

const BLOCK = 256;

export class Heights {
  constructor(length, guess) {
    this.guess = guess;
    this.values = new Float64Array(0);
    this.sums = [];
    this.length = 0;
    this.resize(length);
  }

  /** Changes how many rows there are; known heights stay. */
  resize(length) {
    const known = Math.min(length, this.length);
    if (length > this.values.length) {
      const wider = new Float64Array(Math.max(length, this.values.length * 2, 1024));
      wider.set(this.values.subarray(0, known));
      this.values = wider;
    }
    this.values.fill(this.guess, known, length);
    this.length = length;
    this.sums = [];
    for (let start = 0; start < length; start += BLOCK) {
      let sum = 0;
      for (let at = start; at < Math.min(start + BLOCK, length); at += 1) sum += this.values[at];
      this.sums.push(sum);
    }
  }

  of(index) {
    return this.values[index];
  }

  /** Notes a height. Tells how much it differs from what was believed. */
  set(index, height) {
    const more = height - this.values[index];
    if (more !== 0) {
      this.values[index] = height;
      this.sums[Math.floor(index / BLOCK)] += more;
    }
    return more;
  }

  /** Where a row begins. */
  before(index) {
    const block = Math.floor(index / BLOCK);
    let sum = 0;
    for (let at = 0; at < block; at += 1) sum += this.sums[at];
    for (let at = block * BLOCK; at < index; at += 1) sum += this.values[at];
    return sum;
  }

  get total() {
    return this.sums.reduce((sum, block) => sum + block, 0);
  }

  /** The row at a place; the first or last one when the place is outside. */
  at(place) {
    let left = place;
    let block = 0;
    while (block < this.sums.length - 1 && left >= this.sums[block]) {
      left -= this.sums[block];
      block += 1;
    }
    let index = block * BLOCK;
    while (index < this.length - 1 && left >= this.values[index]) {
      left -= this.values[index];
      index += 1;
    }
    return Math.max(0, Math.min(index, this.length - 1));
  }
}
