/* The model of simulation/specification/archiving.py once more, by hand: one archiver, a writer (0),
 * an operator (1), one row that is not written, one death. All steps are in one loop, each in one
 * atomic step, so the states that SPIN stores are the states of the model.
 */
#define NONE 255
#ifndef PIN
#define PIN pin
#endif
#define RESET adoes = idle; aseen = NONE; ataken = 0; astale = 0

mtype = { idle, looked, taken, written, checked, absent, fetched, ready, done };

byte store = 0, row = NONE, aseen = NONE, ataken = 0, last = 0, strays = 0, faults = 1, deaths = 1;
bool pin = 0, astale = 0;
mtype adoes = idle, does[2] = idle;
byte read[2] = 0;

#define COMES(g) \
:: d_step { does[g] == idle -> pin = 1; if :: store != NONE -> does[g] = ready :: else -> does[g] = absent fi } \
:: d_step { (does[g] == absent || does[g] == fetched) && row != NONE -> does[g] = fetched; read[g] = row } \
:: d_step { (does[g] == absent || does[g] == fetched) && row == NONE -> if :: store == NONE -> does[g] = done :: else -> does[g] = ready fi } \
:: d_step { does[g] == fetched -> does[g] = ready; if :: store == NONE -> store = read[g]; pin = 1 :: else -> skip fi; read[g] = 0 }

active proctype game() {
  do
  :: d_step { adoes == idle -> adoes = looked; aseen = row; ataken = 0; astale = 0 }
  :: d_step { adoes == looked && store == NONE -> RESET }
  :: d_step { adoes == looked && store != NONE -> adoes = taken; ataken = store; astale = 0 }
  :: d_step { adoes == taken && (astale || !(row == NONE || row == aseen || row == ataken)) -> RESET }
  :: d_step { adoes == taken && !astale && (row == NONE || row == aseen || row == ataken) -> adoes = written; row = ataken }
  :: d_step { adoes == taken && !astale && (row == NONE || row == aseen || row == ataken) && faults -> adoes = written; faults-- }
  :: d_step { adoes == written && row == ataken -> adoes = checked }
  :: d_step { adoes == written && row != ataken -> RESET }
  :: d_step { adoes == checked -> if :: store != NONE && !PIN && !astale && store == ataken -> store = NONE :: else -> skip fi; RESET }
  :: d_step { adoes != idle && deaths -> deaths--; RESET }
  COMES(0)
  COMES(1)
  :: d_step { does[0] == ready -> does[0] = done; read[0] = 0; if :: store == NONE -> strays++ :: else -> store++; last++ fi }
  :: d_step { does[1] == ready -> does[1] = done; read[1] = 0; row = NONE }
  :: d_step { pin && (does[0] == idle || does[0] == done) && (does[1] == idle || does[1] == done) ->
       pin = 0; if :: adoes != idle -> astale = 1 :: else -> skip fi }
  od
}

ltl whole { [] (strays == 0 && ((store == NONE && row == last) || (store != NONE && store == last))) }
